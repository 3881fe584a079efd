/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.signature;

/**
 * A parameter or return type cannot be used. The message is the end of a sentence that begins with the parameter, and
 * names the reason.
 */
final class UnsupportedParameterException extends RuntimeException {

    UnsupportedParameterException(String why) {
        super(why);
    }
}
