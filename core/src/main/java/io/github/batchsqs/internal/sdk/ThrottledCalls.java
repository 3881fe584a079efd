/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.sdk;

import software.amazon.awssdk.core.exception.SdkServiceException;

/** Knows throttled calls to any service of AWS, as the SDK does: by the error code, such as S3's {@code SlowDown}, and by status 429. */
public final class ThrottledCalls {

    private ThrottledCalls() {}

    /** Returns whether the failure itself, its causes aside, is the response to a throttled call. */
    public static boolean isThrottled(Throwable failure) {
        return failure instanceof SdkServiceException response && response.isThrottlingException();
    }
}
