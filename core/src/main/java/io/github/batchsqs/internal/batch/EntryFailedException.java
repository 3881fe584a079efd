/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import io.github.batchsqs.errors.BatchSqsException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An entry was refused for good, or its deadline passed before it was accepted. */
public final class EntryFailedException extends BatchSqsException {

    /** {@link #code()}: the deadline passed first. Whether the last call was acted on is not known. */
    public static final String DEADLINE_EXCEEDED = "DeadlineExceeded";

    /** {@link #code()}: the batcher was closed first. */
    public static final String CLOSED = "Closed";

    /** {@link #code()}: a later entry with the same ordering key was accepted by the call that refused this one. */
    public static final String OUT_OF_ORDER = "OutOfOrder";

    /** {@link #code()}: the call failed as a whole, for good. */
    public static final String CALL_FAILED = "CallFailed";

    /** The codes that a batcher sets itself, as opposed to those of the server. */
    public static final Set<String> OWN_CODES = Set.of(DEADLINE_EXCEEDED, CLOSED, OUT_OF_ORDER, CALL_FAILED);

    private final String code;
    private final int attempts;
    private final boolean mayHaveBeenAccepted;

    EntryFailedException(
            String code, String message, int attempts, boolean mayHaveBeenAccepted, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
        this.attempts = attempts;
        this.mayHaveBeenAccepted = mayHaveBeenAccepted;
    }

    /** Returns the server's error code, or one of {@link #OWN_CODES}. */
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
