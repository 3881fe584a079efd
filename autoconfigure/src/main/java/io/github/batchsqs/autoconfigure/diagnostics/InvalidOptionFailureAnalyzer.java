/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.diagnostics;

import io.github.batchsqs.errors.InvalidOptionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/** Prints an {@link InvalidOptionException}: the key, the rule, the value and the remedy. */
@Order(0) // before the analyzer of binding errors, which wraps this one when a settings class refuses a value
final class InvalidOptionFailureAnalyzer extends AbstractFailureAnalyzer<InvalidOptionException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidOptionException cause) {
        var description = "%s %s.%n%n    Value: %s".formatted(cause.option(), cause.rule(), cause.value());
        return new FailureAnalysis(description, sentence(cause.remedy()), cause);
    }

    private static String sentence(String remedy) {
        var text = Character.toUpperCase(remedy.charAt(0)) + remedy.substring(1);
        return text.endsWith(".") ? text : text + ".";
    }
}
