/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.OverLimitException;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;
import software.amazon.awssdk.services.sqs.model.RequestThrottledException;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SqsException;
import software.amazon.awssdk.services.sqs.model.TooManyEntriesInBatchRequestException;

/** The simulator as the SDK sees it. The SDK checks the digests of bodies and attributes by itself. */
class SimulatorTests {

    private static Simulator simulator;
    private static SqsClient sqs;
    private static int queues;

    @BeforeAll
    static void start() throws InterruptedException {
        simulator = Simulator.start(0);
        sqs = SqsClient.builder()
                .endpointOverride(simulator.endpoint())
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                .httpClientBuilder(Apache5HttpClient.builder())
                .overrideConfiguration(override -> override.retryStrategy(AwsRetryStrategy.doNotRetry()))
                .build();
    }

    @AfterAll
    static void stop() {
        sqs.close();
        simulator.close();
    }

    @AfterEach
    void fairWeather() throws IOException {
        control("conditions");
        control("quotas");
    }

    @Test
    void atTheQuotaOfMessagesInFlightAShortPollFailsAndALongPollReturnsNothing() throws IOException {
        String queue = standard(Map.of(QueueAttributeName.VISIBILITY_TIMEOUT, "600"));
        control("quotas?inFlight=1");
        control("fill?messages=2&queue=" + queue.substring(queue.lastIndexOf('/') + 1));
        assertThat(receive(queue, 1)).hasSize(1);

        assertThatThrownBy(() -> receive(queue)).isInstanceOf(OverLimitException.class);
        assertThat(sqs.receiveMessage(request -> request.queueUrl(queue).waitTimeSeconds(1))
                        .messages())
                .isEmpty();
    }

    @Test
    void aFifoQueueThrottlesBeyondItsQuotaOfCalls() throws IOException {
        control("quotas?fifoCalls=1");
        String queue = fifo();
        receive(queue);

        assertThatThrownBy(() -> receive(queue)).isInstanceOf(RequestThrottledException.class);
    }

    @Test
    void countsTheHighestNumberOfMessagesInFlight() throws IOException {
        String queue = standard(Map.of(QueueAttributeName.VISIBILITY_TIMEOUT, "600"));
        String name = queue.substring(queue.lastIndexOf('/') + 1);
        control("reset?queue=" + name);
        control("fill?messages=7&queue=" + name);
        assertThat(receive(queue)).hasSize(7);

        assertThat(control("stats")).contains("\"mostInFlight\":7");
    }

    @Test
    void countsTheThrottledCallsOfEachAction() throws IOException {
        String queue = fifo();
        control("reset?queue=" + queue.substring(queue.lastIndexOf('/') + 1));
        control("quotas?fifoCalls=1");
        receive(queue);

        assertThatThrownBy(() -> receive(queue)).isInstanceOf(RequestThrottledException.class);
        assertThat(control("stats"))
                .contains(
                        "\"calls\":{\"ReceiveMessage\":2}",
                        "\"throttledCalls\":{\"ReceiveMessage\":1}",
                        "\"throttled\":1");
    }

    @Test
    void aMessageIsSentReceivedWithItsAttributesAndDeleted() {
        String queue = standard(Map.of());
        sqs.sendMessage(request -> request.queueUrl(queue)
                .messageBody("a \"quoted\" line\nand ümlauts 😀 \\")
                .messageAttributes(Map.of(
                        "text", attribute().dataType("String").stringValue("ä").build(),
                        "bytes",
                                attribute()
                                        .dataType("Binary")
                                        .binaryValue(SdkBytes.fromUtf8String("b"))
                                        .build())));
        Message message = receive(queue).getFirst();
        assertThat(message.body()).isEqualTo("a \"quoted\" line\nand ümlauts 😀 \\");
        assertThat(message.messageAttributes().values())
                .extracting(MessageAttributeValue::stringValue, MessageAttributeValue::binaryValue)
                .containsExactlyInAnyOrder(tuple("ä", null), tuple(null, SdkBytes.fromUtf8String("b")));
        assertThat(message.attributesAsStrings()).containsEntry("ApproximateReceiveCount", "1");
        sqs.deleteMessage(request -> request.queueUrl(queue).receiptHandle(message.receiptHandle()));
        assertThat(count(queue)).isEqualTo("0/0");
    }

    @Test
    void elevenEntriesFailTheCall() {
        String queue = standard(Map.of());
        List<SendMessageBatchRequestEntry> eleven =
                IntStream.range(0, 11).mapToObj(i -> entry("e" + i, "m")).toList();
        assertThatThrownBy(() ->
                        sqs.sendMessageBatch(request -> request.queueUrl(queue).entries(eleven)))
                .isInstanceOf(TooManyEntriesInBatchRequestException.class);
        assertThatThrownBy(() -> receive(queue + "-not")).isInstanceOf(QueueDoesNotExistException.class);
    }

    @Test
    void theCountersCountCallsAndMessages() throws IOException {
        String queue = standard(Map.of());
        control("reset");
        control("fill?messages=25&bytes=100&queue=" + queue.substring(queue.lastIndexOf('/') + 1));
        List<Message> messages = receive(queue);
        sqs.deleteMessageBatch(request -> request.queueUrl(queue)
                .entries(IntStream.range(0, messages.size())
                        .mapToObj(i -> DeleteMessageBatchRequestEntry.builder()
                                .id(Integer.toString(i))
                                .receiptHandle(messages.get(i).receiptHandle())
                                .build())
                        .toList()));
        assertThat(control("stats"))
                .contains("\"ReceiveMessage\":1", "\"DeleteMessageBatch\":1", "\"received\":10", "\"deleted\":10");
        assertThat(count(queue)).isEqualTo("15/0");
    }

    @Test
    void theCountersCountOneQueueOnRequest() throws IOException {
        String counted = standard(Map.of());
        String other = standard(Map.of());
        control("reset?queue=" + counted.substring(counted.lastIndexOf('/') + 1));
        send(counted, "m");
        send(other, "m");
        assertThat(receive(other)).hasSize(1);

        assertThat(control("stats")).contains("{\"calls\":{\"SendMessage\":1}", "\"sent\":1", "\"received\":0");
        control("reset");
    }

    @Test
    void aPurgedQueueIsEmpty() throws IOException {
        String queue = standard(Map.of());
        send(queue, "m");
        control("purge?queue=" + queue.substring(queue.lastIndexOf('/') + 1));
        assertThat(count(queue)).isEqualTo("0/0");
    }

    @Test
    void faultsComeOnRequest() throws IOException {
        String queue = standard(Map.of());
        control("conditions?throttles=1");
        assertThatThrownBy(() -> send(queue, "m"))
                .isInstanceOfSatisfying(
                        SqsException.class,
                        e -> assertThat(e.isThrottlingException()).isTrue());
        control("conditions?errors=1");
        assertThatThrownBy(() -> send(queue, "m"))
                .isInstanceOfSatisfying(
                        SqsException.class, e -> assertThat(e.statusCode()).isEqualTo(500));
        control("conditions?refusals=1");
        assertThat(sqs.sendMessageBatch(request -> request.queueUrl(queue).entries(entry("0", "m")))
                        .failed())
                .extracting(BatchResultErrorEntry::senderFault)
                .containsExactly(false);
        control("conditions?shortBatches=1");
        control("fill?messages=10&queue=" + queue.substring(queue.lastIndexOf('/') + 1));
        assertThat(receive(queue)).hasSizeBetween(1, 9);
    }

    private static String standard(Map<QueueAttributeName, String> attributes) {
        return sqs.createQueue(request -> request.queueName("q" + queues++).attributes(attributes))
                .queueUrl();
    }

    private static String fifo() {
        return sqs.createQueue(request -> request.queueName("q" + queues++ + ".fifo")
                        .attributes(Map.of(QueueAttributeName.FIFO_QUEUE, "true")))
                .queueUrl();
    }

    private static void send(String queue, String body) {
        assertThat(sqs.sendMessage(request -> request.queueUrl(queue).messageBody(body))
                        .messageId())
                .isNotEmpty();
    }

    private static SendMessageBatchRequestEntry entry(String id, String body) {
        return SendMessageBatchRequestEntry.builder().id(id).messageBody(body).build();
    }

    private static MessageAttributeValue.Builder attribute() {
        return MessageAttributeValue.builder();
    }

    private static List<Message> receive(String queue) {
        return receive(queue, 10);
    }

    private static List<Message> receive(String queue, int max) {
        return sqs.receiveMessage(request -> request.queueUrl(queue)
                        .maxNumberOfMessages(max)
                        .messageAttributeNames("All")
                        .messageSystemAttributeNamesWithStrings("All"))
                .messages();
    }

    private static String attribute(String queue, QueueAttributeName name) {
        return String.valueOf(
                sqs.getQueueAttributes(request -> request.queueUrl(queue).attributeNames(name))
                        .attributes()
                        .get(name));
    }

    /** Visible and hidden messages. */
    private static String count(String queue) {
        return attribute(queue, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES)
                + "/"
                + attribute(queue, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE);
    }

    private static String control(String what) throws IOException {
        try (InputStream answer =
                simulator.endpoint().resolve("/control/" + what).toURL().openStream()) {
            return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
