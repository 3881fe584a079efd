/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.awspring.cloud.autoconfigure.core.AwsClientBuilderConfigurer;
import io.awspring.cloud.autoconfigure.core.AwsConnectionDetails;
import io.github.batchsqs.BatchListener;
import io.github.batchsqs.autoconfigure.listener.ListenerDefinition;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.autoconfigure.testkit.OtherServer;
import io.github.batchsqs.autoconfigure.testkit.Queues;
import io.github.batchsqs.autoconfigure.testkit.StartFailure;
import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.testkit.Progress;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.Environment;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

class EmbeddedServerTests {

    private final ApplicationContextRunner embedded = Contexts.embedded();

    @ParameterizedTest
    @CsvSource({"batchsqs.enabled=on, 0", "off, 0", "FALSE, 0", "yes, 1", "1, 1"})
    void isActiveWhereTheSettingSaysSoInAnySpelling(String setting, int servers) {
        Contexts.aws()
                .withPropertyValues(setting.contains("=") ? setting : "batchsqs.embedded.enabled=" + setting)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBeansOfType(EmbeddedEndpoint.class)).hasSize(servers);
                    assertThat(context.getBeansOfType(AwsConnectionDetails.class))
                            .hasSizeLessThanOrEqualTo(servers);
                });
    }

    /** The client of another service is built without the settings of SQS. */
    @Test
    void leavesClientsOfOtherServicesAlone() {
        Contexts.aws().withPropertyValues("batchsqs.embedded.enabled=true").run(context -> {
            assertThat(context).hasSingleBean(EmbeddedEndpoint.class);
            var details = context.getBeanProvider(AwsConnectionDetails.class).getIfAvailable();
            try (SqsClient other = context.getBean(AwsClientBuilderConfigurer.class)
                    .configure(SqsClient.builder(), null, details)
                    .build()) {
                assertThat(other.serviceClientConfiguration().endpointOverride())
                        .isEmpty();
                assertThat(other.serviceClientConfiguration().region()).isEqualTo(Region.EU_CENTRAL_1);
            }
            assertThat(context.getBean(AwsCredentialsProvider.class)
                            .resolveCredentials()
                            .accessKeyId())
                    .isEqualTo("key");
        });
    }

    /** As Spring does it with the cached contexts of tests. ElasticMQ responds to aborted long polls, too. */
    @Test
    void losesNoMessageOfAPausedContext() {
        var seen = new ConcurrentLinkedQueue<String>();
        var definition = ListenerDefinition.of(
                "orders", "orders", String.class, BatchListener.of(batch -> seen.addAll(batch.payloads())));
        embedded.withBean(ListenerDefinition.class, () -> definition)
                .withPropertyValues(
                        "batchsqs.embedded.queues[0].name=orders",
                        "batchsqs.embedded.queues[0].visibility-timeout=10m") // longer than Progress waits
                .run(context -> {
                    var application = context.getSourceApplicationContext();
                    BatchSqsOperations sqs = context.getBean(BatchSqsOperations.class);
                    sqs.sendAndWait("orders", "first");
                    Progress.until(seen::size, 1);

                    application.pause();
                    sqs.sendAll("orders", IntStream.range(0, 20).boxed().toList());
                    application.restart();
                    Progress.until(seen::size, 21);
                });
    }

    @Test
    void needsNeitherRegionNorCredentialsAndServesTheSqsClientsWhateverTheirEndpointIs() {
        var otherEndpoint = embedded.withPropertyValues("spring.cloud.aws.endpoint=http://localhost:1");
        Contexts.besideSpringCloudAws(otherEndpoint).run(context -> {
            URI endpoint = context.getBean(EmbeddedEndpoint.class).uri();
            SqsClient ours = context.getBean("batchSqsClient", SqsClient.class);
            SqsAsyncClient awspring = context.getBean(SqsAsyncClient.class);

            assertThat(ours.serviceClientConfiguration().endpointOverride()).contains(endpoint);
            assertThat(awspring.serviceClientConfiguration().endpointOverride()).contains(endpoint);
            String url =
                    ours.createQueue(request -> request.queueName("orders")).queueUrl();
            Progress.until( // a call for which its client has no time is made again
                    () -> awspring.listQueues()
                            .handle((listed, failure) -> failure == null ? listed.queueUrls() : List.of())
                            .join(),
                    List.of(url));
        });
    }

    @Test
    void createsQueuesFromNamesAndWithTheirDeadLetterQueues() {
        embedded.withPropertyValues(
                        "batchsqs.embedded.queues[0]=plain",
                        "batchsqs.embedded.queues[1].name=payments.fifo",
                        "batchsqs.embedded.queues[1].dead-letter-queue=payments-dlq.fifo",
                        "batchsqs.embedded.queues[1].max-receive-count=5",
                        "batchsqs.embedded.queues[1].visibility-timeout=90s")
                .run(context -> {
                    assertThat(Queues.attributes(context, "payments.fifo"))
                            .containsEntry(QueueAttributeName.FIFO_QUEUE, "true")
                            .containsEntry(QueueAttributeName.VISIBILITY_TIMEOUT, "90")
                            .hasEntrySatisfying(
                                    QueueAttributeName.REDRIVE_POLICY,
                                    policy -> assertThat(policy)
                                            .contains(":payments-dlq.fifo\"")
                                            .containsPattern("\"maxReceiveCount\":\"?5\\b"));
                    assertThat(Queues.attributes(context, "payments-dlq.fifo"))
                            .containsEntry(QueueAttributeName.FIFO_QUEUE, "true");
                    assertThat(Queues.attributes(context, "plain"))
                            .isNotEmpty()
                            .doesNotContainKey(QueueAttributeName.REDRIVE_POLICY);
                    // by this address the log knows that nobody has decided on its dead-letter queue
                    assertThat(Queues.of(context).url("plain")).matches("http://(localhost|127\\.0\\.0\\.1):\\d+/.*");
                });
    }

    @Test
    void stopsWithTheContext() {
        var endpoint = new AtomicReference<URI>();
        embedded.run(
                context -> endpoint.set(context.getBean(EmbeddedEndpoint.class).uri()));

        assertThatExceptionOfType(ConnectException.class)
                .isThrownBy(() ->
                        new Socket(endpoint.get().getHost(), endpoint.get().getPort()).close());
    }

    @Test
    void withoutTheLibraryTheFailureNamesTheDependency() {
        embedded.withClassLoader(new FilteredClassLoader("org.elasticmq"))
                .run(context -> assertThat(StartFailure.of(context))
                        .contains("batchsqs.embedded.enabled is true")
                        .contains("Add the dependency org.elasticmq:elasticmq-rest-sqs_2.13"));
    }

    @Test
    void givesWayToConnectionDetailsOfTheApplication() {
        embedded.withBean(OtherServer.class).run(context -> {
            assertThat(context).doesNotHaveBean(EmbeddedEndpoint.class);
            assertThat(context.getBean("batchSqsClient", SqsClient.class)
                            .serviceClientConfiguration()
                            .endpointOverride())
                    .contains(URI.create("http://localhost:3"));
        });
    }

    @Test
    void aPortInUseIsNamed() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            embedded.withPropertyValues("batchsqs.embedded.port=" + taken.getLocalPort())
                    .run(context -> assertThat(StartFailure.of(context))
                            .contains("cannot listen on 127.0.0.1:" + taken.getLocalPort() + ": the port is in use")
                            .contains("remove batchsqs.embedded.port"));
        }
    }

    @Test
    void anErrorInTheListOfQueuesNamesItsPlace() {
        var environment = new AtomicReference<Environment>();
        embedded.withInitializer(context -> environment.set(context.getEnvironment()))
                .withPropertyValues(
                        "batchsqs.embedded.queues[0].name=orders",
                        "batchsqs.embedded.queues[1].name=payments",
                        "batchsqs.embedded.queues[1].max-receive-count=5")
                .run(context -> assertThat(StartFailure.of(context, environment.get()))
                        .contains("batchsqs.embedded.queues[1].max-receive-count needs a dead-letter queue")
                        .contains("Value: 5 for payments")
                        .contains("Origin: \"batchsqs.embedded.queues[1].max-receive-count\" from property source"));
    }
}
