/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs;

/** A setting breaks its rule. Ends the start-up; nothing is repaired silently. */
public final class InvalidOptionException extends BatchSqsException {

    private final String option;
    private final String rule;
    private final String value;
    private final String remedy;

    public InvalidOptionException(String option, String rule, Object value, String remedy) {
        super(option + " " + rule + ", but is " + value + "; " + remedy);
        this.option = option;
        this.rule = rule;
        this.value = String.valueOf(value);
        this.remedy = remedy;
    }

    /** The setting's key without its prefix, for example {@code batch-size}. */
    public String option() {
        return option;
    }

    /** What holds for its values. */
    public String rule() {
        return rule;
    }

    /** The value that was given. */
    public String value() {
        return value;
    }

    /** What to do. */
    public String remedy() {
        return remedy;
    }
}
