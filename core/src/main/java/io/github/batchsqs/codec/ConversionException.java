/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.codec;

import io.github.batchsqs.errors.BatchSqsException;
import org.jspecify.annotations.Nullable;

/**
 * A body could not be read as the payload type, or a payload could not be written.
 *
 * <p>The message names the type and the place in the body, but never its content: neither the message nor the causes
 * contain any part of the payload. The causes have the classes and stack traces of the originals, without their
 * messages.
 */
public final class ConversionException extends BatchSqsException {

    /**
     * Creates the exception.
     *
     * @param message the failure with the name of the type, for people
     * @param original the failure of the codec, or {@code null} if there is none
     */
    public ConversionException(String message, @Nullable Throwable original) {
        super(message, original == null ? null : WithheldException.of(original));
    }

    /** Replaces an exception whose message may quote the payload. */
    private static final class WithheldException extends RuntimeException {

        private static final int MAX_CAUSES = 5;

        private WithheldException(String originalClass, @Nullable Throwable cause) {
            super(originalClass + " (its message is withheld, since it may quote the payload)", cause);
        }

        static WithheldException of(Throwable original) {
            return of(original, MAX_CAUSES);
        }

        private static WithheldException of(Throwable original, int causes) {
            Throwable cause = original.getCause();
            WithheldException withheld = new WithheldException(
                    original.getClass().getName(), cause == null || causes == 0 ? null : of(cause, causes - 1));
            withheld.setStackTrace(original.getStackTrace());
            return withheld;
        }
    }
}
