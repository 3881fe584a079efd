/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

/** A response that is no JSON, or not the JSON that the protocol has. Its message has no part of the response. */
final class UnreadableJsonException extends RuntimeException {

    private static final long serialVersionUID = 1;

    UnreadableJsonException(String message) {
        super(message);
    }
}
