/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import io.github.batchsqs.internal.sdk.SentDigests;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.client.config.SdkAdvancedClientOption;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.auth.spi.scheme.AuthScheme;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.SqsServiceClientConfiguration;

/** Detects customizations of an SqsClient that direct calls would bypass. */
final class UnsupportedFeatures {

    private static final String SDK = "software.amazon.awssdk.";
    private static final String SDK_CLIENT = SDK + "services.sqs.DefaultSqsClient";

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

    /** Direct calls are not repeated: a client that an application lets repeat its calls keeps that in the SDK's pipeline. */
    private static Optional<String> ofRetries(ClientOverrideConfiguration configuration) {
        if (configuration.retryPolicy().isPresent()) {
            return Optional.of("a RetryPolicy, which the SDK has deprecated for RetryStrategy");
        }
        return configuration
                .retryStrategy()
                .filter(strategy -> strategy.maxAttempts() > 1)
                .map(strategy -> "the retry strategy " + strategy.getClass().getName());
    }

    private static boolean isCustom(Object part) {
        return !part.getClass().getName().startsWith(SDK);
    }
}
