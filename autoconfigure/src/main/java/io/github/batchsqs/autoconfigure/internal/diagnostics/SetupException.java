/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.diagnostics;

import io.github.batchsqs.errors.BatchSqsException;
import org.jspecify.annotations.Nullable;

/** The configuration prevents the application from starting. Holds the problem and the remedy separately. */
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

    /** Returns the problem. */
    public String problem() {
        return problem;
    }

    /** Returns the remedy. */
    public String remedy() {
        return remedy;
    }
}
