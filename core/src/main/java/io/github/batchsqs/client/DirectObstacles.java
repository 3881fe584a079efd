/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client;

import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.client.config.SdkAdvancedClientOption;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.auth.spi.scheme.AuthScheme;
import software.amazon.awssdk.services.sqs.SqsServiceClientConfiguration;

/** Finds what a client does on each request beyond what every client does. */
final class DirectObstacles {

    private static final String SDK = "software.amazon.awssdk.";

    private DirectObstacles() {}

    static Optional<String> of(SqsServiceClientConfiguration client) {
        for (AuthScheme<?> scheme : client.authSchemes().values()) {
            if (!scheme.getClass().getName().startsWith(SDK)) {
                return Optional.of("the auth scheme " + scheme.getClass().getName());
            }
        }
        if (client.credentialsProvider() instanceof AnonymousCredentialsProvider) {
            return Optional.of("anonymous credentials");
        }
        return of(client.overrideConfiguration());
    }

    @SuppressWarnings("deprecation") // the signer: whoever set one is not to lose it
    private static Optional<String> of(ClientOverrideConfiguration configuration) {
        for (ExecutionInterceptor interceptor : configuration.executionInterceptors()) {
            String name = interceptor.getClass().getName();
            if (!name.startsWith(SDK)) {
                return Optional.of("the execution interceptor " + name);
            }
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
        if (configuration.retryPolicy().isPresent()) {
            return Optional.of("a RetryPolicy, which the SDK has deprecated for RetryStrategy");
        }
        if (configuration.advancedOption(SdkAdvancedClientOption.SIGNER).isPresent()) {
            return Optional.of("a signer of its own");
        }
        return Optional.empty();
    }
}
