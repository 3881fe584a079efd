/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.signature;

/** A parameter or return type cannot be used; the message says why, as the end of a sentence about it. */
final class UnsupportedParameterException extends RuntimeException {

    UnsupportedParameterException(String why) {
        super(why);
    }
}
