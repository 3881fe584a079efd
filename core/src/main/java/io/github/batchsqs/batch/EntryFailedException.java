/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.batch;

import io.github.batchsqs.BatchSqsException;
import org.jspecify.annotations.Nullable;

/** An entry was refused for good, or its deadline passed before it was accepted. */
public final class EntryFailedException extends BatchSqsException {

    private final String code;
    private final int attempts;

    public EntryFailedException(String code, String message, int attempts, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
        this.attempts = attempts;
    }

    /** The server's error code, or one of this library: {@code DeadlineExceeded}, {@code Closed}. */
    public String code() {
        return code;
    }

    /** How many calls carried the entry. */
    public int attempts() {
        return attempts;
    }
}
