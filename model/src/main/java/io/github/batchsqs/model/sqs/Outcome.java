/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.sqs;

/** The result of one entry, alone or in a batch whose other entries have results of their own. */
public sealed interface Outcome<T> {

    /** The entry is in {@code Successful}. */
    record Done<T>(T value) implements Outcome<T> {}

    /** The entry is in {@code Failed}, by the sender's fault; nothing was done. */
    record Refused<T>(ErrorCode code, String message) implements Outcome<T> {}

    static <T> Outcome<T> done(T value) {
        return new Done<>(value);
    }

    static <T> Outcome<T> refused(ErrorCode code, String message) {
        return new Refused<>(code, message);
    }
}
