/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.diagnostics;

import io.github.batchsqs.BatchSqsException;
import org.jspecify.annotations.Nullable;

/** The application cannot start as it is configured. Says what is wrong and, apart from that, what to do. */
public final class SetupException extends BatchSqsException {

    private final String problem;
    private final String remedy;

    public SetupException(String problem, String remedy) {
        this(problem, remedy, null);
    }

    public SetupException(String problem, String remedy, @Nullable Throwable cause) {
        super(problem + " " + remedy, cause);
        this.problem = problem;
        this.remedy = remedy;
    }

    /** What is wrong. */
    public String problem() {
        return problem;
    }

    /** What to do. */
    public String remedy() {
        return remedy;
    }
}
