/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.sdk;

import java.time.Duration;
import java.util.List;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.metrics.CoreMetric;
import software.amazon.awssdk.metrics.MetricCollection;
import software.amazon.awssdk.metrics.MetricPublisher;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The attempts of calls by the SDK: how long each may last, and whether the SDK may have repeated a call before the attempt that got the response. The SDK shows the number of attempts of a
 * successful call in its metrics alone.
 */
final class Attempts {

    /** The publishers of the client, which those of a request replace. */
    private final List<MetricPublisher> others;

    private final boolean single;
    private final boolean unlimited;

    Attempts(SqsClient sqs) {
        ClientOverrideConfiguration configuration;
        try {
            configuration = sqs.serviceClientConfiguration().overrideConfiguration();
        } catch (
                UnsupportedOperationException e) { // a client that is not the SDK's own need not show its configuration
            configuration = ClientOverrideConfiguration.builder().build();
        }
        this.unlimited = configuration.apiCallAttemptTimeout().isEmpty();
        this.others = configuration.metricPublishers();
        this.single = configuration
                .retryStrategy()
                .filter(strategy -> strategy.maxAttempts() == 1)
                .isPresent();
    }

    /** Limits each attempt of a request, unless the client has limits of its own. */
    void limit(AwsRequestOverrideConfiguration.Builder request, Duration limit) {
        if (unlimited) {
            request.apiCallAttemptTimeout(limit);
        }
    }

    Count count() {
        return new Count();
    }

    /** The attempts of one call. */
    final class Count implements MetricPublisher {

        private volatile int retries = single ? 0 : -1;

        /** Has the SDK count the attempts of a request. */
        void of(AwsRequestOverrideConfiguration.Builder request) {
            limit(request, RequestRules.LIMIT);
            if (!single) {
                others.forEach(request::addMetricPublisher);
                request.addMetricPublisher(this);
            }
        }

        /** Returns whether there was more than one attempt, as far as it is known. */
        boolean repeated() {
            return retries != 0;
        }

        @Override
        public void publish(MetricCollection call) {
            List<Integer> counted = call.metricValues(CoreMetric.RETRY_COUNT);
            retries = counted.isEmpty() ? -1 : counted.getFirst();
        }

        @Override
        public void close() {}
    }
}
