/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import java.util.Collection;
import java.util.Collections;
import java.util.Optional;
import java.util.stream.Stream;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.client.config.SdkAdvancedClientOption;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.SqsServiceClientConfiguration;

/** Detects customizations of an SqsClient that direct calls would bypass. */
public final class UnsupportedFeatures {

    private static final String SDK = "software.amazon.awssdk.";
    private static final String SDK_CLIENT = SDK + "services.sqs.DefaultSqsClient";

    private UnsupportedFeatures() {}

    /**
     * Looks at a client.
     *
     * @param client the client
     * @return the first such customization, or empty if there is none
     */
    public static Optional<String> of(SqsClient client) {
        String type = client.getClass().getName();
        if (!type.equals(SDK_CLIENT)) {
            return Optional.of("the SqsClient " + type + ", which is not the SDK's own and may do more");
        }
        return of(client.serviceClientConfiguration());
    }

    @SuppressWarnings("deprecation") // the signer: whoever set one should not lose it
    private static Optional<String> of(SqsServiceClientConfiguration client) {
        ClientOverrideConfiguration override = client.overrideConfiguration();
        return Stream.of(
                        custom("the auth scheme ", client.authSchemes().values()),
                        custom("the auth scheme provider ", Collections.singleton(client.authSchemeProvider())),
                        custom(
                                "the endpoint provider ",
                                client.endpointProvider().stream().toList()),
                        when(
                                client.credentialsProvider() instanceof AnonymousCredentialsProvider,
                                "anonymous credentials"),
                        when(
                                Boolean.TRUE.equals(client.checksumValidationEnabled()),
                                "checksumValidationEnabled(true)"),
                        custom("the execution interceptor ", override.executionInterceptors()),
                        when(!override.executionAttributes().getAttributes().isEmpty(), "execution attributes"),
                        named("the metric publisher ", override.metricPublishers().stream()),
                        when(override.apiCallTimeout().isPresent(), "the apiCallTimeout"),
                        when(override.apiCallAttemptTimeout().isPresent(), "the apiCallAttemptTimeout"),
                        when(
                                override.advancedOption(SdkAdvancedClientOption.SIGNER)
                                        .isPresent(),
                                "a signer of its own"),
                        when(
                                override.retryPolicy().isPresent(),
                                "a RetryPolicy, which the SDK has deprecated for RetryStrategy"),
                        // Direct calls are not repeated: a client that may repeat its calls keeps that
                        named(
                                "the retry strategy ",
                                override.retryStrategy().stream().filter(strategy -> strategy.maxAttempts() > 1)))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> when(boolean found, String what) {
        return found ? Optional.of(what) : Optional.empty();
    }

    private static Optional<String> custom(String what, Collection<?> parts) {
        return named(what, parts.stream().filter(part -> part != null && isCustom(part)));
    }

    private static Optional<String> named(String what, Stream<?> parts) {
        return parts.findFirst().map(part -> what + part.getClass().getName());
    }

    private static boolean isCustom(Object part) {
        return !part.getClass().getName().startsWith(SDK);
    }
}
