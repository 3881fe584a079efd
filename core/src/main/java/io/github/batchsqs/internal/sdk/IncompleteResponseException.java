/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.sdk;

import org.jspecify.annotations.Nullable;

/** A response lacks a part that SQS always sends. */
@SuppressWarnings("serial")
public final class IncompleteResponseException extends RuntimeException {

    public IncompleteResponseException(String message) {
        super(message);
    }

    /** Returns the value; throws if the response has none. */
    public static String required(String name, @Nullable String value) {
        if (value == null) {
            throw new IncompleteResponseException("The response has no " + name + " where SQS always has one");
        }
        return value;
    }
}
