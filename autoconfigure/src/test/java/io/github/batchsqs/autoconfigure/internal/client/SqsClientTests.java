/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import io.awspring.cloud.autoconfigure.AwsClientCustomizer;
import io.awspring.cloud.autoconfigure.AwsSyncClientCustomizer;
import io.awspring.cloud.sqs.operations.SqsTemplate;
import io.github.batchsqs.autoconfigure.internal.endpoint.BatchSqsEndpointAutoConfiguration;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.autoconfigure.testkit.StartFailure;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.direct.DirectQueueClient;
import io.github.batchsqs.internal.sdk.AwsQueueClient;
import io.github.batchsqs.send.BatchSqsOperations;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.config.BeanDefinitionCustomizer;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.retries.AdaptiveRetryStrategy;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.SqsClientBuilder;
import software.amazon.awssdk.services.sqs.SqsServiceClientConfiguration;
import software.amazon.awssdk.services.sqs.endpoints.SqsEndpointProvider;

class SqsClientTests {

    @Test
    void takesTheSettingsOfSpringCloudAws() {
        Contexts.aws()
                .withPropertyValues(
                        "spring.cloud.aws.sqs.region=eu-west-3", "spring.cloud.aws.sqs.endpoint=http://localhost:1")
                .run(context -> {
                    assertThat(configuration(context).region()).isEqualTo(Region.EU_WEST_3);
                    assertThat(configuration(context).endpointOverride()).contains(URI.create("http://localhost:1"));
                });
    }

    @Test
    void leavesRetriesToListenersAndSenders() {
        Contexts.aws()
                .run(context -> assertThat(
                                configuration(context).overrideConfiguration().retryStrategy())
                        .hasValueSatisfying(
                                strategy -> assertThat(strategy.maxAttempts()).isEqualTo(1)));
    }

    @Test
    void isNotNeededWithACustomQueueClient() {
        Contexts.besideSpringCloudAws(Contexts.bare())
                .withConfiguration(AutoConfigurations.of(BatchSqsEndpointAutoConfiguration.class))
                .withBean(AwsRegionProvider.class, () -> NoRegion.INSTANCE)
                .withBean(QueueClient.class, () -> mock(QueueClient.class))
                .withBean(QueueResolver.class, () -> mock(QueueResolver.class))
                .withBean(AwsSyncClientCustomizer.class, () -> builder -> {
                    throw new AssertionError("a client is built");
                })
                .withPropertyValues(
                        "batchsqs.clients.us.region=us-west-2", "management.endpoints.web.exposure.include=batchsqs")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(BatchSqsOperations.class)
                        .hasBean("batchSqsEndpoint"));
    }

    @Test
    void leavesTheBeansOfSpringCloudAwsToThoseWhoUseThem() {
        Contexts.besideSpringCloudAws(Contexts.aws()).run(context -> {
            var beans = context.getSourceApplicationContext().getBeanFactory();
            assertThat(beans.containsSingleton("sqsAsyncClient")).isFalse();
            assertThat(context.getBean(SqsTemplate.class)).isNotNull();
            assertThat(beans.containsSingleton("sqsAsyncClient")).isTrue();
        });
    }

    @ParameterizedTest
    @ValueSource(classes = {OwnHttpClient.class, Replacement.class, Wrapped.class})
    void callsThroughTheSdkWhereDirectCallsWouldLeaveSomethingOut(Class<?> configuration) {
        assertClient(AwsQueueClient.class, Contexts.aws().withUserConfiguration(configuration));
    }

    /** What needs the SDK is in {@code DirectQueueClientTests}. */
    @Test
    void callsDirectlyUnlessTheSettingOrACustomizerNeedsTheSdk() {
        assertClient(DirectQueueClient.class, Contexts.aws());
        assertClient(AwsQueueClient.class, Contexts.aws().withPropertyValues("batchsqs.client.direct=false"));
        assertClient(
                AwsQueueClient.class,
                customized(builder -> builder.endpointProvider(
                        parameters -> SqsEndpointProvider.defaultProvider().resolveEndpoint(parameters))));
    }

    private static void assertClient(Class<?> type, ApplicationContextRunner contexts) {
        contexts.run(context -> assertThat(context.getBean(QueueClient.class)).isInstanceOf(type));
    }

    private static ApplicationContextRunner customized(AwsClientCustomizer<SqsClientBuilder> customizer) {
        return Contexts.aws().withBean(AwsClientCustomizer.class, () -> customizer);
    }

    @Test
    void keepsTheRetryStrategyOfACustomizer() {
        customized(builder -> builder.overrideConfiguration(builder.overrideConfiguration().toBuilder()
                        .retryStrategy(AdaptiveRetryStrategy.builder().build())
                        .apiCallTimeout(Duration.ofSeconds(42))
                        .build()))
                .run(context -> {
                    var overrides = configuration(context).overrideConfiguration();
                    assertThat(overrides.retryStrategy()).containsInstanceOf(AdaptiveRetryStrategy.class);
                    assertThat(overrides.apiCallTimeout()).contains(Duration.ofSeconds(42));
                });
    }

    @Test
    void isTheOneOfTheApplicationThatIsMeant() {
        ApplicationContextRunner own = withClient(Contexts.aws(), "own", Region.EU_NORTH_1, definition -> {});
        assertRegion(Region.EU_NORTH_1, own);
        assertRegion(
                Region.EU_WEST_2,
                withClient(own, "primary", Region.EU_WEST_2, definition -> definition.setPrimary(true)));
        assertRegion(Region.EU_CENTRAL_1, withClient(own, "other", Region.EU_SOUTH_1, definition -> {}));
        assertRegion(
                Region.EU_NORTH_1,
                withClient(
                        own,
                        "forOthers",
                        Region.EU_SOUTH_1,
                        definition -> ((AbstractBeanDefinition) definition).setDefaultCandidate(false)));
        assertRegion(Region.AP_EAST_1, own.withUserConfiguration(Replacement.class));
        assertRegion(Region.US_EAST_1, withClient(Contexts.embedded(), "own", Region.EU_NORTH_1, definition -> {}));
    }

    private static ApplicationContextRunner withClient(
            ApplicationContextRunner contexts, String name, Region region, BeanDefinitionCustomizer customizer) {
        return contexts.withBean(name, SqsClient.class, () -> client(region), customizer);
    }

    private static void assertRegion(Region region, ApplicationContextRunner contexts) {
        contexts.run(context -> assertThat(configuration(context).region()).isEqualTo(region));
    }

    @Test
    void withoutARegionTheFailureSaysWhatToSet() {
        Contexts.bare()
                .withBean(AwsRegionProvider.class, () -> NoRegion.INSTANCE)
                .run(context -> assertThat(StartFailure.of(context))
                        .contains("The SQS client of BatchSQS has no AWS region")
                        .contains("neither the settings, nor the environment")
                        .contains("spring.cloud.aws.region.static")
                        .contains("batchsqs.embedded.enabled=true"));
    }

    private static SqsServiceClientConfiguration configuration(AssertableApplicationContext context) {
        return context.getBean("batchSqsClient", SqsClient.class).serviceClientConfiguration();
    }

    /** What the SDK's own chain does on a machine without a region. */
    enum NoRegion implements AwsRegionProvider {
        INSTANCE;

        @Override
        public Region getRegion() {
            throw SdkClientException.create("Unable to load region from any of the providers in the chain");
        }
    }

    /** What an aspect, or a bean post-processor that instruments clients, does. */
    @Configuration(proxyBeanMethods = false)
    static class Wrapped {
        @Bean
        static BeanPostProcessor wrapper() {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    return bean instanceof SqsClient ? wrapped() : bean;
                }
            };
        }

        private static SqsClient wrapped() {
            return (SqsClient) Proxy.newProxyInstance(
                    SqsClient.class.getClassLoader(), new Class<?>[] {SqsClient.class}, (proxy, method, arguments) -> {
                        throw new UnsupportedOperationException();
                    });
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnHttpClient {
        @Bean
        SdkHttpClient http() {
            return Apache5HttpClient.create();
        }

        @Bean
        AwsSyncClientCustomizer useIt(SdkHttpClient http) {
            return builder -> builder.httpClient(http);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Replacement {
        @Bean
        SqsClient batchSqsClient() {
            return client(Region.AP_EAST_1);
        }
    }

    private static SqsClient client(Region region) {
        return SqsClient.builder()
                .region(region)
                .credentialsProvider(AnonymousCredentialsProvider.create())
                .build();
    }

    @Test
    void aRegionIsCheckedIfItAppliesAndNotIfItIsEmpty() {
        Contexts.aws()
                .withPropertyValues("spring.cloud.aws.region.static=", "spring.cloud.aws.sqs.region=eu-central-1")
                .run(context -> assertThat(context).hasNotFailed());
        Contexts.aws()
                .withPropertyValues(
                        "spring.cloud.aws.region.static=eu central 1", "spring.cloud.aws.sqs.region=eu-central-1")
                .run(context -> assertThat(context).hasNotFailed());
    }
}
