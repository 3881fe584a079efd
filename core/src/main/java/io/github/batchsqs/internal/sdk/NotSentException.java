/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.sdk;

import java.io.InterruptedIOException;
import org.jspecify.annotations.Nullable;

/** A call ended before any of its request was sent. */
@SuppressWarnings("serial")
public final class NotSentException extends InterruptedIOException {

    public NotSentException(String message, @Nullable Throwable cause) {
        super(message);
        if (cause != null) {
            initCause(cause);
        }
    }
}
