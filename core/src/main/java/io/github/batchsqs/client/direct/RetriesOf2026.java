/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client.direct;

import java.time.Duration;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.SdkInternalExecutionAttribute;
import software.amazon.awssdk.retries.api.RefreshRetryTokenRequest;
import software.amazon.awssdk.retries.api.TokenAcquisitionFailedException;

/**
 * The parts of the AWS SDK that came with its retry behavior of 2026. The SDK of Spring Cloud AWS 4.0 has none of them, so they are
 * used here alone, and their absence means the behavior before 2026. {@code .ci/compatibility} tests both.
 */
final class RetriesOf2026 {

    private RetriesOf2026() {}

    /** Returns whether the client of a request retries in this way. */
    static boolean enabled(ExecutionAttributes request) {
        try {
            return Boolean.TRUE.equals(request.getAttribute(SdkInternalExecutionAttribute.NEW_RETRIES_2026_ENABLED));
        } catch (NoSuchFieldError olderSdk) {
            return false;
        }
    }

    /** Sets whether the failed call was a long poll. */
    static void longPolling(RefreshRetryTokenRequest.Builder request, boolean longPolling) {
        try {
            request.isLongPolling(longPolling);
        } catch (NoSuchMethodError olderSdk) {
            // It does not distinguish long polls
        }
    }

    /** Returns the delay before the last failure is thrown. */
    static Duration delay(TokenAcquisitionFailedException enough) {
        try {
            return enough.delay().orElse(Duration.ZERO);
        } catch (NoSuchMethodError olderSdk) {
            return Duration.ZERO;
        }
    }
}
