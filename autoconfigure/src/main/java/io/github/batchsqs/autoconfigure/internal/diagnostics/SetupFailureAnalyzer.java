/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.diagnostics;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Prints a {@link SetupException} without its stack trace. */
final class SetupFailureAnalyzer extends AbstractFailureAnalyzer<SetupException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, SetupException cause) {
        return new FailureAnalysis(cause.problem(), cause.remedy(), cause);
    }
}
