/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazon.sqs.javamessaging.AmazonSQSExtendedClient;
import com.amazon.sqs.javamessaging.ExtendedClientConfiguration;
import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.internal.send.BatchSqsTemplate;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.testkit.Progress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** The extended client of AWS as the other side, over HTTP. {@code .ci/localstack/run} runs these tests on LocalStack as well. */
class ExtendedClientTests {

    private static final String LARGE = "ä".repeat(600_000);

    private final String bucket = "payloads-" + UUID.randomUUID();
    private final @Nullable S3Server ownServer = Queues.withS3() ? null : new S3Server();
    private final URI endpoint = ownServer == null ? Queues.ENDPOINT : ownServer.endpoint();
    private final S3Client s3 = Queues.s3(endpoint);

    ExtendedClientTests() {
        s3.createBucket(request -> request.bucket(bucket));
    }

    @AfterEach
    void close() {
        s3.close();
        if (ownServer != null) {
            ownServer.close();
        }
    }

    private ApplicationContextRunner application() {
        return Applications.local(Queues.ENDPOINT, endpoint).withPropertyValues("batchsqs.s3.bucket=" + bucket);
    }

    private List<String> keys() {
        return s3.listObjectsV2(request -> request.bucket(bucket)).contents().stream()
                .map(S3Object::key)
                .toList();
    }

    private AmazonSQSExtendedClient extendedClient(boolean legacyName) {
        ExtendedClientConfiguration configuration = new ExtendedClientConfiguration()
                .withPayloadSupportEnabled(s3, bucket)
                .withPayloadSizeThreshold(1000);
        return new AmazonSQSExtendedClient(
                Queues.SQS.client(),
                legacyName ? configuration : configuration.withLegacyReservedAttributeNameDisabled());
    }

    /** Receives with the extended client until so many messages have come, and deletes them with it. */
    private List<Message> receiveWithExtendedClient(String queue, int count) {
        AmazonSQSExtendedClient client = extendedClient(false);
        List<Message> received = new ArrayList<>();
        Progress.until(
                () -> {
                    List<Message> some = client.receiveMessage(request -> request.queueUrl(Queues.SQS.url(queue))
                                    .maxNumberOfMessages(10)
                                    .messageAttributeNames("All"))
                            .messages();
                    for (Message message : some) {
                        client.deleteMessage(request ->
                                request.queueUrl(Queues.SQS.url(queue)).receiptHandle(message.receiptHandle()));
                    }
                    received.addAll(some);
                    return received.size();
                },
                count);
        return received;
    }

    // ---- sent by us

    @Test
    void theExtendedClientReadsAndDeletesWhatTheTemplateSends() {
        String queue = Queues.SQS.standard();
        application().run(context -> {
            var template = context.getBean(BatchSqsTemplate.class);
            template.sendAndWait(OutgoingMessage.builder(queue, LARGE)
                    .attribute("source", MessageAttribute.string("web"))
                    .build());
        });

        assertThat(keys()).hasSize(1);
        List<Message> received = receiveWithExtendedClient(queue, 1);

        assertThat(received.getFirst().body()).isEqualTo(LARGE);
        assertThat(received.getFirst().messageAttributes()).containsOnlyKeys("source");
        assertThat(keys()).isEmpty();
    }

    @Test
    void batchesMixLargeAndSmallMessagesAndKeepTheirOrder() {
        String queue = Queues.SQS.fifo();
        List<String> payloads = IntStream.range(0, 12)
                .mapToObj(i -> i % 3 == 0 ? "small " + i : LARGE + i)
                .toList();
        application().run(context -> {
            var template = context.getBean(BatchSqsTemplate.class);
            List<OutgoingMessage> messages = payloads.stream()
                    .map(payload ->
                            OutgoingMessage.builder(queue, payload).groupId("g").build())
                    .toList();
            assertThat(template.sendAll(messages).failed()).isEmpty();
        });

        assertThat(keys()).hasSize(8);
        assertThat(receiveWithExtendedClient(queue, 12))
                .extracting(Message::body)
                .containsExactlyElementsOf(payloads);
        assertThat(keys()).isEmpty();
    }

    @Test
    void allPayloadsCanBeStored() {
        String queue = Queues.SQS.standard();
        application()
                .withPropertyValues("batchsqs.s3.threshold=0B", "batchsqs.s3.key-prefix=orders/")
                .run(context -> context.getBean(BatchSqsTemplate.class).sendAndWait(queue, "tiny"));

        assertThat(keys()).singleElement().asString().startsWith("orders/");
        assertThat(receiveWithExtendedClient(queue, 1))
                .singleElement()
                .extracting(Message::body)
                .isEqualTo("tiny");
    }

    // ---- sent by the extended client

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theListenerReadsAndDeletesWhatTheExtendedClientSends(boolean legacyName) {
        String queue = Queues.SQS.standard();
        var inbox = new Inbox();
        extendedClient(legacyName)
                .sendMessage(request -> request.queueUrl(Queues.SQS.url(queue))
                        .messageBody(LARGE)
                        .messageAttributes(Map.of(
                                "source",
                                MessageAttributeValue.builder()
                                        .dataType("String")
                                        .stringValue("web")
                                        .build())));
        assertThat(keys()).hasSize(1);

        application()
                .withBean(Inbox.class, () -> inbox)
                .withPropertyValues("inbox=" + queue)
                .run(context -> {
                    SqsMessage<String> message = Progress.take(inbox.handled);
                    assertThat(message.payload()).isEqualTo(LARGE);
                    assertThat(message.body()).isEqualTo(LARGE);
                    assertThat(message.attributes()).containsOnlyKeys("source");
                    assertThat(((Message) message.nativeMessage()).body()).isEqualTo(LARGE);
                    assertThat(((Message) message.nativeMessage()).messageAttributes())
                            .containsOnlyKeys("source");
                    Progress.until(() -> keys().size(), 0);
                });
        assertThat(Queues.SQS.size(queue)).isZero();
    }

    @Test
    void theListenerReadsBatchesInOrderAndDeletesTheirObjectsTogether() {
        String queue = Queues.SQS.fifo();
        var inbox = new Inbox();
        List<String> payloads = IntStream.range(0, 30)
                .mapToObj(i -> i % 3 == 0 ? "small" + i : LARGE + i)
                .toList();
        AmazonSQSExtendedClient client = extendedClient(false);
        for (int first = 0; first < 30; first += 5) {
            List<SendMessageBatchRequestEntry> entries = IntStream.range(first, first + 5)
                    .mapToObj(i -> SendMessageBatchRequestEntry.builder()
                            .id("e" + i)
                            .messageBody(payloads.get(i))
                            .messageGroupId("g")
                            .messageDeduplicationId(UUID.randomUUID().toString())
                            .build())
                    .toList();
            client.sendMessageBatch(
                    request -> request.queueUrl(Queues.SQS.url(queue)).entries(entries));
        }

        application()
                .withBean(Inbox.class, () -> inbox)
                .withPropertyValues("inbox=" + queue)
                .run(context -> {
                    List<String> handled = new ArrayList<>();
                    for (int i = 0; i < 30; i++) {
                        handled.add(Progress.take(inbox.handled).payload());
                    }
                    assertThat(handled).isEqualTo(payloads);
                    Progress.until(() -> keys().size(), 0);
                });
        if (ownServer != null) {
            assertThat(ownServer.count(S3Server.Call::isDelete)).isLessThan(20);
        }
    }
}
