/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;

import io.awspring.cloud.autoconfigure.AwsSyncClientCustomizer;
import io.awspring.cloud.autoconfigure.core.AwsConnectionDetails;
import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.internal.client.SqsClientTests.NoRegion;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.autoconfigure.testkit.OtherServer;
import io.github.batchsqs.autoconfigure.testkit.StartFailure;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.direct.DirectQueueClient;
import io.github.batchsqs.send.BatchSqsOperations;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.SqsClientBuilder;
import software.amazon.awssdk.services.sqs.SqsServiceClientConfiguration;

/** The clients of {@code batchsqs.clients}, without any server. */
class NamedClientsTests {

    private static final String KEYS = "batchsqs.clients.us.credentials.";

    private final ApplicationContextRunner contexts =
            Contexts.aws().withPropertyValues("batchsqs.listener.auto-startup=false");

    @Test
    void takesAbsentSettingsFromSpringCloudAws() {
        contexts.withPropertyValues(
                        "spring.cloud.aws.sqs.endpoint=http://localhost:1",
                        "batchsqs.clients.us.region=us-west-2",
                        "batchsqs.clients.vpc.endpoint=https://localhost:2",
                        KEYS + "access-key=other",
                        KEYS + "secret-key=secret")
                .run(context -> {
                    assertThat(configuration(context, "us").region()).isEqualTo(Region.US_WEST_2);
                    assertThat(configuration(context, "us").endpointOverride())
                            .contains(URI.create("http://localhost:1"));
                    assertThat(credentials(context, "us").accessKeyId()).isEqualTo("other");
                    assertThat(configuration(context, "vpc").region()).isEqualTo(Region.EU_CENTRAL_1);
                    assertThat(configuration(context, "vpc").endpointOverride())
                            .contains(URI.create("https://localhost:2"));
                    assertThat(credentials(context, "vpc").accessKeyId()).isEqualTo("key");
                    assertThat(clients(context).get("us").queues()).isInstanceOf(DirectQueueClient.class);
                    assertThat(clients(context).get("us"))
                            .isSameAs(clients(context).get("us"));
                });
    }

    @Test
    void withoutAnyRegionTheFailureNamesTheClientAndItsKey() {
        Contexts.bare()
                .withBean(AwsRegionProvider.class, () -> NoRegion.INSTANCE)
                .withBean(QueueClient.class, () -> mock(QueueClient.class))
                .withBean(QueueResolver.class, () -> mock(QueueResolver.class))
                .withBean(Orders.class)
                .withPropertyValues("batchsqs.clients.us.endpoint=http://localhost:1")
                .run(context -> assertThat(StartFailure.of(context))
                        .contains("The SQS client 'us' has no AWS region: neither the settings")
                        .contains("Set batchsqs.clients.us.region, spring.cloud.aws.region.static"));
    }

    @Test
    void takesAProfile() {
        contexts.withPropertyValues(KEYS + "profile=audit")
                .run(context -> assertThat(configuration(context, "us").credentialsProvider())
                        .isInstanceOf(ProfileCredentialsProvider.class)
                        .asString()
                        .contains("audit"));
    }

    @Test
    void appliesItsOwnSettingsAfterCustomizersThatChangeAllClients() {
        contexts.withBean(AwsSyncClientCustomizer.class, () -> builder -> {
                    var sqs = (SqsClientBuilder) builder;
                    sqs.region(Region.EU_WEST_3);
                    sqs.overrideConfiguration(overrides -> overrides.putHeader("x-team", "orders"));
                })
                .withPropertyValues(
                        "batchsqs.clients.us.region=us-west-2", "batchsqs.clients.same.endpoint=http://localhost:1")
                .run(context -> {
                    assertThat(configuration(context, "us").region()).isEqualTo(Region.US_WEST_2);
                    assertThat(configuration(context, "us")
                                    .overrideConfiguration()
                                    .headers())
                            .containsKey("x-team");
                    assertThat(configuration(context, "same").region()).isEqualTo(Region.EU_WEST_3);
                });
    }

    @Test
    void callsTheEmbeddedServerWhateverItsEndpointAndAccountAre() {
        Contexts.embedded()
                .withPropertyValues(
                        "batchsqs.clients.us.region=us-west-2",
                        "batchsqs.clients.us.endpoint=https://sqs.us-west-2.amazonaws.com",
                        KEYS + "profile=absent")
                .run(context -> {
                    assertThat(configuration(context, "us").endpointOverride())
                            .isEqualTo(configuration(context, "default").endpointOverride());
                    assertThat(configuration(context, "us").region()).isEqualTo(Region.US_WEST_2);
                    assertThat(credentials(context, "us").accessKeyId()).isEqualTo("embedded");
                });
    }

    @Test
    void callsTheServerOfAServiceConnectionInItsOwnRegionAndAccount() {
        contexts.withBean(AwsConnectionDetails.class, OtherServer::new)
                .withPropertyValues(
                        "batchsqs.clients.us.region=us-west-2",
                        "batchsqs.clients.us.endpoint=https://sqs.us-west-2.amazonaws.com",
                        KEYS + "access-key=222222222222",
                        KEYS + "secret-key=secret")
                .run(context -> {
                    assertThat(configuration(context, "us").endpointOverride())
                            .contains(URI.create("http://localhost:3"));
                    assertThat(configuration(context, "us").region()).isEqualTo(Region.US_WEST_2);
                    assertThat(credentials(context, "us").accessKeyId()).isEqualTo("222222222222");
                });
    }

    @Test
    void areClosedAfterListenersAndTemplateAndNotBuiltAgain() {
        contexts.withBean(Orders.class)
                .withPropertyValues("batchsqs.clients.us.region=us-west-2")
                .run(context -> {
                    var beans = context.getSourceApplicationContext().getBeanFactory();
                    var clients = clients(context);
                    assertThat(beans.getDependentBeans("batchSqsNamedClients"))
                            .contains("batchSqsListenerContainers", "batchSqsTemplate");
                    assertThat(beans.getDependenciesForBean("batchSqsNamedClients"))
                            .contains("batchSqsQueueClient", "batchSqsQueueResolver");
                    SqsClient sqs =
                            Objects.requireNonNull(clients.get("us").sqs().get());

                    context.getSourceApplicationContext().close();

                    assertThatThrownBy(sqs::listQueues).hasMessageContaining("HTTP client is closed");
                    assertThatThrownBy(() -> clients.get("us")).hasMessageContaining("is closed");
                });
    }

    @Test
    void anUnknownClientOfTheTemplateIsRefusedWithTheKnownOnes() {
        contexts.withPropertyValues("batchsqs.clients.us.region=us-west-2").run(context -> {
            var template = context.getBean(BatchSqsOperations.class);
            assertThatThrownBy(() -> template.client("usa"))
                    .isInstanceOf(InvalidOptionException.class)
                    .hasMessage(
                            "client must be default or a client of batchsqs.clients (us), but is usa; define the client"
                                    + " with batchsqs.clients.usa.region or another key");
            assertThat(template.client("us")).isSameAs(template.client("us")).isNotSameAs(template);
            assertThat(template.client("us").client("default"))
                    .isSameAs(template)
                    .isSameAs(template.client("default"));
        });
    }

    static NamedClients clients(AssertableApplicationContext context) {
        return context.getBean(NamedClients.class);
    }

    static SqsServiceClientConfiguration configuration(AssertableApplicationContext context, String name) {
        return Objects.requireNonNull(clients(context).get(name).sqs().get()).serviceClientConfiguration();
    }

    static AwsCredentials credentials(AssertableApplicationContext context, String name) {
        return ((AwsCredentialsProvider) configuration(context, name).credentialsProvider()).resolveCredentials();
    }

    static class Orders {
        @BatchSqsListener(queue = "orders", client = "us")
        void orders(List<String> orders) {}
    }
}
