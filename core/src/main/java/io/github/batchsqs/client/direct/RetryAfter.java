/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client.direct;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * The header with the delay that a server demands before the next attempt. The SDK reads {@code x-amz-retry-after} in
 * place of {@code Retry-After} when its retries of 2026 are turned on.
 */
enum RetryAfter {
    SECONDS("Retry-After", ChronoUnit.SECONDS),
    MILLISECONDS("x-amz-retry-after", ChronoUnit.MILLIS);

    private final String header;
    private final ChronoUnit unit;

    RetryAfter(String header, ChronoUnit unit) {
        this.header = header;
        this.unit = unit;
    }

    /** Returns the delay that the response asks for, zero if it asks for none or for a date. */
    Duration of(SdkException failure) {
        if (!(failure instanceof AwsServiceException refused)) {
            return Duration.ZERO;
        }
        AwsErrorDetails details = refused.awsErrorDetails();
        String value = details.sdkHttpResponse().firstMatchingHeader(header).orElse("");
        try {
            return Duration.of(Integer.parseInt(value), unit);
        } catch (NumberFormatException e) {
            return Duration.ZERO;
        }
    }
}
