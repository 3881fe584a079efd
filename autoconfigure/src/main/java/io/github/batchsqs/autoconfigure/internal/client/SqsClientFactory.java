/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.client;

import io.awspring.cloud.autoconfigure.AwsClientCustomizer;
import io.awspring.cloud.autoconfigure.AwsSyncClientCustomizer;
import io.awspring.cloud.autoconfigure.core.AwsClientBuilderConfigurer;
import io.awspring.cloud.autoconfigure.core.AwsConnectionDetails;
import io.awspring.cloud.autoconfigure.sqs.SqsProperties;
import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import io.github.batchsqs.autoconfigure.internal.embedded.EmbeddedEndpoint;
import io.github.batchsqs.autoconfigure.internal.settings.NamedClientSettings;
import java.net.URI;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.SqsClientBuilder;

/**
 * Builds the blocking client of the listeners and of the template in the same way as Spring Cloud AWS builds its own
 * client.
 *
 * <p>Customizers run after the factory's settings, so they override the HTTP client, its pool and timeouts, and the
 * retry strategy.
 */
@Lazy
final class SqsClientFactory implements AutoCloseable {

    /** Where the region of the default client is set; the first one that is set applies. */
    private static final List<String> REGIONS =
            List.of("spring.cloud.aws.sqs.region", "spring.cloud.aws.region.static", "AWS_REGION");

    private final AwsClientBuilderConfigurer configurer;
    private final SqsProperties properties;
    private final ObjectProvider<AwsConnectionDetails> connectionDetails;
    private final ObjectProvider<AwsClientCustomizer<SqsClientBuilder>> sqsCustomizers;
    private final ObjectProvider<AwsSyncClientCustomizer> syncCustomizers;
    private final ObjectProvider<EmbeddedEndpoint> embedded;
    private final Environment environment;
    private volatile @Nullable SqsClient defaultClient;

    SqsClientFactory(
            AwsClientBuilderConfigurer configurer,
            SqsProperties properties,
            ObjectProvider<AwsConnectionDetails> connectionDetails,
            ObjectProvider<AwsClientCustomizer<SqsClientBuilder>> sqsCustomizers,
            ObjectProvider<AwsSyncClientCustomizer> syncCustomizers,
            ObjectProvider<EmbeddedEndpoint> embedded,
            Environment environment) {
        this.configurer = configurer;
        this.properties = properties;
        this.connectionDetails = connectionDetails;
        this.sqsCustomizers = sqsCustomizers;
        this.syncCustomizers = syncCustomizers;
        this.embedded = embedded;
        this.environment = environment;
    }

    /** Returns whether the embedded server or a service connection takes the calls, whatever endpoints are set. */
    boolean isServerReplaced() {
        AwsConnectionDetails connection = connectionDetails.getIfAvailable();
        return embedded.getIfAvailable() != null || (connection != null && connection.getEndpoint() != null);
    }

    /** Returns the role that a named client assumes, or {@code null}: a test server knows no roles. */
    @Nullable
    AssumedRole role(String name, NamedClientSettings settings) {
        String role = settings.credentials().roleArn();
        if (role == null || isServerReplaced()) {
            return null;
        }
        String endpoint =
                environment.getProperty("spring.cloud.aws.endpoint", "").strip();
        if (endpoint.isEmpty()) {
            return new AssumedRole(name, role, null);
        }
        ClientRules.requireUrl("spring.cloud.aws.endpoint", endpoint);
        return new AssumedRole(name, role, URI.create(endpoint));
    }

    /** Creates the default client. Closing it closes its HTTP client, unless a customizer provided that. */
    SqsClient create(SharedHttpClient http) {
        if (!isServerReplaced()) {
            ClientRules.requireEndpoint(environment);
        }
        REGIONS.stream()
                .filter(key -> StringUtils.hasText(environment.getProperty(key)))
                .findFirst()
                .ifPresent(key -> ClientRules.requireRegion(key, environment.getProperty(key)));
        SqsClient client = built(configured(null, http, properties));
        defaultClient = client;
        return client;
    }

    /** Closes the default client, if it was created here. */
    @Override
    public void close() {
        if (defaultClient != null) {
            defaultClient.close();
        }
    }

    /**
     * Creates a named client. Its own settings are applied after the customizers, which apply to all clients.
     *
     * @param credentials the client's own credentials, or {@code null} for those of the default client
     * @param role what these credentials assume, or {@code null}
     */
    SqsClient create(
            String name,
            SharedHttpClient http,
            NamedClientSettings settings,
            @Nullable AwsCredentialsProvider credentials,
            @Nullable AssumedRole role) {
        String endpoint = isServerReplaced() ? null : settings.endpoint();
        if (!isServerReplaced() && endpoint == null) {
            ClientRules.requireEndpoint(environment);
        }
        SqsClientBuilder builder = configured(name, http, withRegion(settings.region()));
        if (settings.region() != null) {
            builder.region(Region.of(settings.region()));
        }
        if (endpoint != null) {
            builder.endpointOverride(URI.create(endpoint));
        }
        if (credentials != null) {
            builder.credentialsProvider(credentials);
        }
        if (role != null) {
            builder.addPlugin(role);
        }
        return built(builder);
    }

    /** Returns the settings with another region, so that no region is looked up in vain. */
    private SqsProperties withRegion(@Nullable String region) {
        var others = new SqsProperties();
        PropertyMapper map = PropertyMapper.get();
        map.from(properties.getEndpoint()).to(others::setEndpoint);
        map.from(properties.getDualstackEnabled()).to(others::setDualstackEnabled);
        map.from(region == null ? properties.getRegion() : region).to(others::setRegion);
        return others;
    }

    private static SqsClient built(SqsClientBuilder builder) {
        turnOffRetries(builder);
        try {
            return builder.build();
        } catch (IllegalArgumentException twoHttpClients) {
            // The SDK refuses a builder that holds an HTTP client and an HTTP client builder, and lets nobody ask which
            // it holds. A customizer set the former; ours, the latter, gives way.
            return builder.httpClientBuilder(null).build();
        }
    }

    private SqsClientBuilder configured(@Nullable String name, SharedHttpClient http, SqsProperties settings) {
        SqsClientBuilder builder = SqsClient.builder();
        AwsSyncClientCustomizer ours = any -> {
            builder.httpClientBuilder(http);
            embedded.ifAvailable(endpoint -> builder.credentialsProvider(EmbeddedEndpoint.CREDENTIALS));
        };
        try {
            return configurer.configureSyncClient(
                    builder,
                    settings,
                    connectionDetails.getIfAvailable(),
                    sqsCustomizers.orderedStream(),
                    Stream.concat(Stream.of(ours), syncCustomizers.orderedStream()));
        } catch (SdkClientException failure) {
            throw noRegion(name, failure);
        }
    }

    /**
     * Turns off the retries of the SDK: listeners and senders own the retries, and see each attempt. A strategy or mode of a
     * customizer stays; then calls go through the SDK's pipeline.
     */
    private static void turnOffRetries(SqsClientBuilder builder) {
        var configuration = builder.overrideConfiguration();
        boolean chosen = configuration.retryStrategy().isPresent()
                || configuration.retryMode().isPresent()
                || configuration.retryPolicy().isPresent()
                || configuration.retryStrategyConfigurator().isPresent();
        if (!chosen) {
            builder.overrideConfiguration(configuration.toBuilder()
                    .retryStrategy(AwsRetryStrategy.doNotRetry())
                    .build());
        }
    }

    /**
     * Creates the exception for a missing region, which is the only failure of the configuration outside the builder.
     */
    private static SetupException noRegion(@Nullable String name, SdkClientException failure) {
        return new SetupException(
                (name == null
                                ? "The SQS client of BatchSQS has no AWS region: "
                                : "The SQS client '" + name + "' has no AWS region: ")
                        + "neither the settings, nor the environment, nor the AWS profile, nor the instance has one.",
                (name == null ? "Set " : "Set batchsqs.clients." + name + ".region, ")
                        + "spring.cloud.aws.region.static (for example eu-central-1), spring.cloud.aws.sqs.region or the"
                        + " environment variable AWS_REGION; or set batchsqs.embedded.enabled=true to run without AWS.",
                failure);
    }
}
