/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.errors;

/** A setting breaks its rule. Ends the start-up; nothing is repaired silently. */
public final class InvalidOptionException extends BatchSqsException {

    /** The setting's key without its prefix. */
    private final String option;
    /** The rule for the setting's values. */
    private final String rule;
    /** The value that breaks the rule. */
    private final String value;
    /** The action that mends it. */
    private final String remedy;

    /**
     * Creates the exception; its message names all four.
     *
     * @param option the setting's key without its prefix, for example {@code batch-size}
     * @param rule the rule for its values
     * @param value the value that breaks the rule
     * @param remedy the action that mends it
     */
    public InvalidOptionException(String option, String rule, Object value, String remedy) {
        super(option + " " + rule + ", but is " + value + "; " + remedy);
        this.option = option;
        this.rule = rule;
        this.value = String.valueOf(value);
        this.remedy = remedy;
    }

    /** {@return the setting's key without its prefix, for example {@code batch-size}} */
    public String option() {
        return option;
    }

    /** {@return the rule for the setting's values} */
    public String rule() {
        return rule;
    }

    /** {@return the value that breaks the rule} */
    public String value() {
        return value;
    }

    /** {@return the action that mends it} */
    public String remedy() {
        return remedy;
    }
}
