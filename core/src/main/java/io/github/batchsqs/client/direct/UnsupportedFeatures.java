/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client.direct;

import io.github.batchsqs.client.sdk.support.SentDigests;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.client.config.SdkAdvancedClientOption;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.auth.spi.scheme.AuthScheme;
import software.amazon.awssdk.retries.AdaptiveRetryStrategy;
import software.amazon.awssdk.retries.LegacyRetryStrategy;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.SqsServiceClientConfiguration;

/** Detects customizations of an SqsClient that direct calls would bypass. */
final class UnsupportedFeatures {

    private static final String SDK = "software.amazon.awssdk.";
    private static final String SDK_CLIENT = SDK + "services.sqs.DefaultSqsClient";

    /** The SDK's bridge from the retry mode ADAPTIVE to its older retry policies. It works in the SDK's pipeline alone. */
    private static final String POLICY_ADAPTER = "RetryPolicyAdapter";

    private UnsupportedFeatures() {}

    static Optional<String> of(SqsClient client) {
        String type = client.getClass().getName();
        if (!type.equals(SDK_CLIENT)) {
            return Optional.of("the SqsClient " + type + ", which is not the SDK's own and may do more");
        }
        return of(client.serviceClientConfiguration());
    }

    private static Optional<String> of(SqsServiceClientConfiguration client) {
        for (AuthScheme<?> scheme : client.authSchemes().values()) {
            if (isCustom(scheme)) {
                return Optional.of("the auth scheme " + scheme.getClass().getName());
            }
        }
        Object schemes = client.authSchemeProvider();
        if (schemes != null && isCustom(schemes)) {
            return Optional.of("the auth scheme provider " + schemes.getClass().getName());
        }
        Object endpoints = client.endpointProvider().orElse(null);
        if (endpoints != null && isCustom(endpoints)) {
            return Optional.of("the endpoint provider " + endpoints.getClass().getName());
        }
        if (client.credentialsProvider() instanceof AnonymousCredentialsProvider) {
            return Optional.of("anonymous credentials");
        }
        return of(client.overrideConfiguration());
    }

    @SuppressWarnings("deprecation") // the signer: whoever set one should not lose it
    private static Optional<String> of(ClientOverrideConfiguration configuration) {
        for (ExecutionInterceptor interceptor : configuration.executionInterceptors()) {
            if (isCustom(interceptor)) {
                return Optional.of(
                        "the execution interceptor " + interceptor.getClass().getName());
            }
        }
        int ours = SentDigests.checkedHere(configuration) ? 1 : 0;
        if (configuration.executionAttributes().getAttributes().size() > ours) {
            return Optional.of("execution attributes");
        }
        if (!configuration.metricPublishers().isEmpty()) {
            return Optional.of("the metric publisher "
                    + configuration.metricPublishers().getFirst().getClass().getName());
        }
        if (configuration.apiCallTimeout().isPresent()) {
            return Optional.of("the apiCallTimeout");
        }
        if (configuration.apiCallAttemptTimeout().isPresent()) {
            return Optional.of("the apiCallAttemptTimeout");
        }
        if (configuration.advancedOption(SdkAdvancedClientOption.SIGNER).isPresent()) {
            return Optional.of("a signer of its own");
        }
        return ofRetries(configuration);
    }

    private static Optional<String> ofRetries(ClientOverrideConfiguration configuration) {
        if (configuration.retryPolicy().isPresent()) {
            return Optional.of("a RetryPolicy, which the SDK has deprecated for RetryStrategy");
        }
        RetryStrategy strategy = configuration.retryStrategy().orElse(null);
        if (strategy == null || isOfTheSdk(strategy)) {
            return Optional.empty();
        }
        return Optional.of(
                isPolicy(strategy)
                        ? "the retry mode ADAPTIVE, which the SDK has deprecated for ADAPTIVE_V2"
                        : "the retry strategy " + strategy.getClass().getName());
    }

    private static boolean isOfTheSdk(RetryStrategy strategy) {
        boolean known = strategy instanceof StandardRetryStrategy
                || strategy instanceof AdaptiveRetryStrategy
                || strategy instanceof LegacyRetryStrategy;
        return known && !isCustom(strategy);
    }

    /**
     * Returns the strategy that the client retries by, as it is.
     *
     * @throws IllegalArgumentException if it works in the SDK's pipeline alone
     */
    static RetryStrategy retriesOf(SqsServiceClientConfiguration client) {
        RetryStrategy strategy =
                client.overrideConfiguration().retryStrategy().orElseGet(AwsRetryStrategy::defaultRetryStrategy);
        if (isPolicy(strategy)) {
            throw new IllegalArgumentException(
                    "The SqsClient retries by the retry mode ADAPTIVE or by a RetryPolicy, which"
                            + " direct calls cannot use: use RetryMode.ADAPTIVE_V2, or an AwsQueueClient in place of this one");
        }
        return strategy;
    }

    private static boolean isPolicy(RetryStrategy strategy) {
        return strategy.getClass().getSimpleName().equals(POLICY_ADAPTER);
    }

    private static boolean isCustom(Object part) {
        return !part.getClass().getName().startsWith(SDK);
    }
}
