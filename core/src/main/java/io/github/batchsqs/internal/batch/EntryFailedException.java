/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import io.github.batchsqs.errors.BatchSqsException;
import org.jspecify.annotations.Nullable;

/** An entry was refused for good, or its deadline passed before it was accepted. */
public final class EntryFailedException extends BatchSqsException {

    private final String code;
    private final int attempts;
    private final boolean mayHaveBeenAccepted;

    /** Creates the failure of an entry on which the server has not acted. */
    public EntryFailedException(String code, String message, int attempts, @Nullable Throwable cause) {
        this(code, message, attempts, false, cause);
    }

    EntryFailedException(
            String code, String message, int attempts, boolean mayHaveBeenAccepted, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
        this.attempts = attempts;
        this.mayHaveBeenAccepted = mayHaveBeenAccepted;
    }

    /** Returns the server's error code, or one of this library: {@code DeadlineExceeded}, {@code Closed}. */
    public String code() {
        return code;
    }

    /** Returns the number of calls that carried the entry. */
    public int attempts() {
        return attempts;
    }

    /** Returns whether the server may have acted on a call that carried the entry: no response confirms or denies it. */
    public boolean mayHaveBeenAccepted() {
        return mayHaveBeenAccepted;
    }
}
