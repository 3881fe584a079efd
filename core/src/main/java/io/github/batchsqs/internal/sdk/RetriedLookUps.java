/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.sdk;

import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.SdkPlugin;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;

/**
 * Has the SDK retry a call about queues, if its client does not by itself: three attempts by the mode {@code STANDARD}.
 */
final class RetriedLookUps {

    private static final SdkPlugin RETRIES = client -> {
        ClientOverrideConfiguration configuration = client.overrideConfiguration();
        if (configuration
                .retryStrategy()
                .filter(strategy -> strategy.maxAttempts() == 1)
                .isPresent()) {
            client.overrideConfiguration(configuration.toBuilder()
                    .retryStrategy(AwsRetryStrategy.standardRetryStrategy())
                    .build());
        }
    };

    private RetriedLookUps() {}

    static void of(AwsRequestOverrideConfiguration.Builder request) {
        request.addPlugin(RETRIES);
    }
}
