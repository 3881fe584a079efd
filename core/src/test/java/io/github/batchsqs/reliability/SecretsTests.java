/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.codec.JacksonPayloadCodec;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.codec.Envelope;
import io.github.batchsqs.internal.codec.PayloadReader;
import io.github.batchsqs.internal.receive.EngineContainer;
import io.github.batchsqs.internal.receive.ListenerResources;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.internal.sdk.AwsQueueResolver;
import io.github.batchsqs.internal.send.BatchSqsTemplate;
import io.github.batchsqs.internal.send.SenderResources;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.testkit.ElasticMqServer;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.PatientSender;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.Relay;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import tools.jackson.databind.json.JsonMapper;

/**
 * A word that is in every payload, every attribute and all credentials is in no line that anybody logs at INFO or above, and
 * in no error that the library makes: through success, failure, conversion errors, dead letters and failed sends.
 */
@Isolated // hears all that is logged
class SecretsTests {

    private static final String SECRET = "hunter2";
    /** A payload. */
    record Order(int number, String card) {}

    private final ElasticMqServer server = ElasticMqServer.shared();
    private final LogCapture log = LogCapture.everybody();
    private final Relay relay = new Relay();
    private final SqsClient sqs = ElasticMqServer.newClient(
            relay.endpoint(),
            server.region(),
            () -> AwsSessionCredentials.create("AKIA" + SECRET, "secret-" + SECRET, "token-" + SECRET));
    private final JacksonPayloadCodec codec = new JacksonPayloadCodec(JsonMapper.shared());
    private final BatchSqsTemplate template = new BatchSqsTemplate(
            PatientSender.options().build(),
            SenderResources.of(ElasticMqServer.newQueueClient(sqs), new AwsQueueResolver(sqs), codec));
    private final Queue deadLetters = server.createQueue(Map.of());
    private final Queue queue = server.createQueue(Map.of());
    private final Set<Integer> failedOnce = ConcurrentHashMap.newKeySet();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        template.close();
        sqs.close();
        relay.close();
        log.close();
    }

    @Test
    void noPayloadAttributeOrCredentialIsLoggedOrQuotedInAnError() throws Exception {
        EngineContainer container = container(Duration.ofSeconds(2));
        container.start();
        sendAll();
        // A send that is answered after the lease of two seconds has ended is made again: at least once.
        Progress.until(() -> server.size(queue) == 0 && server.size(deadLetters) >= 3);

        relay.refuse(403, "AccessDenied", "DeleteMessageBatch", "ChangeMessageVisibilityBatch");
        send(new Order(1, SECRET));
        send(new Order(2, SECRET));
        Progress.until(() -> log.events().stream().anyMatch(line -> line.contains("sqs:DeleteMessage")));
        relay.refuse(403, "SignatureDoesNotMatch", "ReceiveMessage");
        Progress.until(() -> container.status().receiveFailure() != null);
        relay.refuse(403, "AccessDenied", "SendMessageBatch");
        assertThatItsErrorIsSilent(new Order(1, SECRET));
        relay.relent();
        assertThatItsErrorIsSilent(new Unwritable());
        assertThatItsErrorIsSilent(SECRET + "\u0001");
        Progress.until(() -> server.size(queue), 0);
        container.stop();

        assertThat(log.events())
                .isNotEmpty()
                .anyMatch(line -> line.startsWith("INFO"))
                .allSatisfy(line -> assertThat(line).doesNotContain(SECRET));
        assertThat(failures)
                .hasSizeGreaterThanOrEqualTo(4)
                .allSatisfy(failure -> assertThat(everythingSaid(failure)).doesNotContain(SECRET));
    }

    @Test
    void aDeadLetterNamesTheErrorAndCarriesNoStackTrace() throws Exception {
        EngineContainer container = container(Duration.ofSeconds(30));
        container.start();
        sendAll();
        Progress.until(() -> server.size(deadLetters), 3);
        container.stop();

        List<Message> dead = new ArrayList<>();
        Progress.until(() -> {
            dead.addAll(server.client()
                    .receiveMessage(request -> request.queueUrl(deadLetters.url())
                            .maxNumberOfMessages(10)
                            .visibilityTimeout(600)
                            .messageAttributeNames("All"))
                    .messages());
            return dead.size() == 3;
        });
        assertThat(dead).allSatisfy(message -> {
            assertThat(message.messageAttributes())
                    .containsOnlyKeys(
                            "card",
                            "BatchSqsErrorClass",
                            "BatchSqsErrorMessage",
                            "BatchSqsSourceQueue",
                            "BatchSqsReceiveCount");
            message.messageAttributes()
                    .forEach((name, value) -> assertThat(value.stringValue())
                            .doesNotContain("\tat ", getClass().getName() + ".", "\n"));
        });
    }

    /** Whose property cannot be written. */
    static final class Unwritable {
        private final List<String> none = List.of();

        public String getCard() {
            return Objects.requireNonNull(none.isEmpty() ? null : none.getFirst(), SECRET);
        }
    }

    private void sendAll() throws Exception {
        send(new Order(0, SECRET)); // passes
        send(new Order(1, SECRET)); // fails, then passes
        send(new Order(3, SECRET)); // non-retryable
        send("{\"number\":\"" + SECRET + "\",\"card\":\"" + SECRET + "\"}"); // no number
        send("{\"" + SECRET + "\":" + SECRET); // no JSON
    }

    private void send(Object payload) throws InterruptedException {
        assertThat(template.sendAndWait(message(payload)).messageId()).isNotEmpty();
    }

    private OutgoingMessage message(Object payload) {
        return OutgoingMessage.builder(queue.name(), payload)
                .attribute("card", MessageAttribute.string(SECRET))
                .build();
    }

    private void assertThatItsErrorIsSilent(Object payload) {
        SendFailedException failure =
                catchThrowableOfType(SendFailedException.class, () -> template.sendAndWait(message(payload)));
        assertThat(everythingSaid(failure)).doesNotContain(SECRET);
    }

    private EngineContainer container(Duration visibilityTimeout) {
        PayloadReader reader = new PayloadReader(codec, Envelope.NONE, Order.class, null);
        BatchListener<Order> listener = batch -> {
            for (Order order : batch.payloads()) {
                if (order.number() == 3) {
                    throw new IllegalArgumentException("never");
                }
                if (order.number() > 0 && failedOnce.add(order.number())) {
                    throw new IllegalStateException("by a test's wish");
                }
            }
            return BatchOutcome.done();
        };
        ErrorHook hook = (name, message, cause) -> failures.add(cause);
        return new EngineContainer(
                ListenerOptions.builder("secrets", queue.name())
                        .batchSize(1)
                        .waitTime(Duration.ofSeconds(1))
                        .visibility(new ListenerOptions.Visibility(visibilityTimeout, Duration.ofHours(1)))
                        .failure(new ListenerOptions.Failure(
                                Backoff.exponential(Duration.ofNanos(1), Duration.ofNanos(1)),
                                false,
                                List.of(IllegalArgumentException.class),
                                deadLetters.name()))
                        .build(),
                new ListenerHandler<>(
                        message -> (Order) reader.read(message.body(), message::attributes), listener, List.of(), hook),
                new ListenerResources(
                        ElasticMqServer.newQueueClient(sqs),
                        new AwsQueueResolver(sqs),
                        ListenerEvents.NONE,
                        TimeSource.system()));
    }

    /** Message, causes and stack traces, as a log would have them. */
    private static String everythingSaid(Throwable failure) {
        StringWriter said = new StringWriter();
        failure.printStackTrace(new PrintWriter(said, true));
        return said.toString();
    }
}
