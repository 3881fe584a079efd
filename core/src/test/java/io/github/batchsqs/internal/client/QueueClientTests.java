/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.internal.client.EntryResult.Accepted;
import io.github.batchsqs.internal.client.EntryResult.Rejected;
import io.github.batchsqs.listener.ReceiveFailure;
import io.github.batchsqs.testkit.ElasticMqServer;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.StubSqs;
import io.github.batchsqs.testkit.StubSqs.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/** What every client to SQS does, whatever it is made of; tried on the two that there are. */
public abstract class QueueClientTests {

    /** A client that is set up as the SDK's client is; made once or twice in a test. */
    protected abstract QueueClient client(SqsClient sqs);

    @Nested
    class OnARealServer {

        private final ElasticMqServer server = ElasticMqServer.shared();
        private final QueueClient client = client(server.client());

        @Test
        void sendsReceivesAndDeletes() throws Exception {
            Queue queue = server.createQueue(Map.of());
            SendEntry entry = new SendEntry(
                    "grüße \uD83D\uDE00",
                    Map.of(
                            "text", MessageAttribute.string("t"),
                            "number", MessageAttribute.text("Number.int", "42"),
                            "bytes", MessageAttribute.binary(new byte[] {0, 1, -1})),
                    null,
                    null,
                    null);
            SentMessage sent = accepted(client.send(queue, List.of(entry))).getFirst();

            ReceivedMessage message = only(receive(queue, Duration.ZERO));
            Message sdk = only(server.client()
                    .receiveMessage(request -> request.queueUrl(queue.url())
                            .messageAttributeNames("All")
                            .messageSystemAttributeNames(MessageSystemAttributeName.ALL))
                    .messages());
            assertThat(message.nativeMessage())
                    .usingRecursiveComparison()
                    .ignoringFields("receiptHandle", "attributes")
                    .isEqualTo(sdk);
            assertThat(message.systemAttributes())
                    .containsOnlyKeys(sdk.attributesAsStrings().keySet());

            assertThat(message.id()).isEqualTo(sent.messageId());
            assertThat(message.body()).isEqualTo(entry.body());
            assertThat(message.attributes()).isEqualTo(entry.attributes());
            assertThat(message.attributes()).isSameAs(message.attributes());
            assertThat(message.receiveCount()).isEqualTo(1);
            assertThat(message.sentAt()).isBetween("2020-01-01T00:00:00Z", "2100-01-01T00:00:00Z");
            assertThat(message.groupId()).isNull();
            assertThat(message).hasToString("ReceivedMessage[" + message.id() + "]");

            assertThat(accepted(client.delete(queue, List.of(sdk.receiptHandle()))))
                    .hasSize(1);
            assertThat(receiveAtOnce(queue)).isEmpty();
        }

        private List<ReceivedMessage> receive(Queue queue, @Nullable Duration visibility) throws InterruptedException {
            return client.receive(new ReceiveCall(queue, 10, Duration.ofSeconds(1), visibility, null));
        }

        private List<ReceivedMessage> receiveAtOnce(Queue queue) throws InterruptedException {
            return client.receive(new ReceiveCall(queue, 10, Duration.ZERO, null, null));
        }
    }

    @Nested
    class OnAServerThatMisbehaves {

        @AutoClose
        private final StubSqs stub = new StubSqs();

        @AutoClose
        private final SqsClient sqs = stub.newClient();

        private final QueueClient client = client(sqs);
        private final Queue queue = new Queue("orders", stub.endpoint() + "/000000000000/orders");

        @Test
        void numbersEntriesByTheirPlace() throws Exception {
            stub.respond(request -> Response.ok("{\"Successful\":[],\"Failed\":[]}"));
            client.delete(queue, List.of("h", "h"));
            assertThat(stub.requests().getFirst().body())
                    .contains("{\"Id\":\"0\",\"ReceiptHandle\":\"h\"},{\"Id\":\"1\",\"ReceiptHandle\":\"h\"}");
        }

        @Test
        void roundsDurationsUpToWholeSeconds() throws Exception {
            stub.respond(request -> Response.ok("{}"));
            client.changeVisibility(queue, List.of(new VisibilityChange("h", Duration.ofMillis(1_001))));
            client.receive(new ReceiveCall(queue, 3, Duration.ofMillis(200), Duration.ofNanos(1), null));
            client.receive(new ReceiveCall(queue, 3, Duration.ZERO, null, "attempt"));
            assertThat(stub.requests().get(0).body()).contains("\"VisibilityTimeout\":2");
            assertThat(stub.requests().get(1).body())
                    .contains("\"WaitTimeSeconds\":1", "\"VisibilityTimeout\":1", "\"MaxNumberOfMessages\":3")
                    .contains("\"MessageSystemAttributeNames\":[\"All\"]", "\"MessageAttributeNames\":[\"All\"]")
                    .doesNotContain("\"AttributeNames\"", "ReceiveRequestAttemptId");
            assertThat(stub.requests().get(2).body())
                    .contains("\"WaitTimeSeconds\":0", "\"ReceiveRequestAttemptId\":\"attempt\"")
                    .doesNotContain("VisibilityTimeout");
        }

        @Test
        void returnsResultsInTheOrderOfTheEntriesAndRejectsThoseThatAreMissing() throws Exception {
            stub.respond(request -> Response.ok("""
                    {"Successful":[{"Id":"3"},{"Id":"0"},{"Id":"77"},{"Id":"x"},{"Id":"9"}],
                     "Failed":[{"Id":"2","Code":"ReceiptHandleIsInvalid","Message":"no","SenderFault":true},
                               {"Id":"4","Code":"InternalError","Message":"hm","SenderFault":false},
                               {"Id":"5","Code":"AWS.SimpleQueueService.OverLimit","SenderFault":true},
                               {"Id":"","Code":"InternalError","SenderFault":false}]}"""));
            List<EntryResult<Void>> results = client.delete(queue, List.of("a", "b", "c", "d", "e", "f"));
            assertThat(results).hasSize(6);
            assertThat(results.get(0)).isInstanceOf(Accepted.class);
            assertThat(results.get(1)).isInstanceOfSatisfying(Rejected.class, missing -> {
                assertThat(missing.code()).isEqualTo("MissingInResponse");
                assertThat(missing.retryable()).isTrue();
            });
            assertThat(results.get(2)).isEqualTo(new Rejected<Void>("ReceiptHandleIsInvalid", "no", false));
            assertThat(results.get(3)).isInstanceOf(Accepted.class);
            assertThat(results.get(4)).isEqualTo(new Rejected<Void>("InternalError", "hm", true));
            assertThat(results.get(5)).isEqualTo(new Rejected<Void>("OverLimit", "", true));
        }

        @ParameterizedTest
        @CsvSource({
            "InternalError, false, true",
            "InternalError, true, true",
            "NeverHeardOf, false, true",
            "NeverHeardOf, true, false",
            "KmsThrottled, true, true",
            "ReceiptHandleIsInvalid, true, false",
            "ReceiptHandleIsInvalid, false, false",
            "InvalidMessageContents, false, false",
        })
        void saysWhichEntriesMayBeAcceptedLater(String code, boolean senderFault, boolean retryable) throws Exception {
            stub.respond(request -> Response.ok(
                    "{\"Failed\":[{\"Id\":\"0\",\"Code\":\"%s\",\"SenderFault\":%s}]}".formatted(code, senderFault)));
            assertThat(only(client.delete(queue, List.of("a")))).isEqualTo(new Rejected<Void>(code, "", retryable));
        }

        @Test
        void takesAnEntryThatSucceededAndFailedForFailed() throws Exception {
            stub.respond(request -> Response.ok("""
                    {"Successful":[{"Id":"0"}],"Failed":[{"Id":"0","Code":"InternalError","SenderFault":false}]}"""));
            assertThat(only(client.delete(queue, List.of("a")))).isInstanceOf(Rejected.class);
        }

        @ParameterizedTest
        @CsvSource({
            "500, InternalError, '', InternalError, true",
            "503, ServiceUnavailable, '', ServiceUnavailable, true",
            "503, Whatever, '', Whatever, true",
            "400, RequestThrottled, '', RequestThrottled, true",
            "400, ThrottlingException, '', ThrottlingException, true",
            "429, Whatever, '', Whatever, true",
            "400, OverLimit, OverLimit;Sender, OverLimit, true",
            "400, KmsThrottled, KMS.ThrottlingException;Sender, KMS.ThrottlingException, true",
            "400, KmsAccessDenied, KMS.AccessDeniedException;Sender, KMS.AccessDeniedException, false",
            "403, ExpiredToken, '', ExpiredToken, true",
            "403, AccessDenied, '', AccessDenied, false",
            "403, InvalidClientTokenId, '', InvalidClientTokenId, false",
            "403, SignatureDoesNotMatch, '', SignatureDoesNotMatch, false",
            "400, QueueDoesNotExist, AWS.SimpleQueueService.NonExistentQueue;Sender, QueueDoesNotExist, false",
            "400, BatchRequestTooLong, AWS.SimpleQueueService.BatchRequestTooLong;Sender, BatchRequestTooLong, false",
            "400, InvalidParameterValue, '', InvalidParameterValue, false",
        })
        void saysWhichFailuresPass(int status, String code, String queryError, String expected, boolean retryable) {
            stub.respond(request -> Response.error(status, code, queryError));
            QueueCallException failure = failure(() -> client.delete(queue, List.of("h")));
            assertThat(failure.code()).isEqualTo(expected);
            assertThat(failure.retryable()).isEqualTo(retryable);
            assertThat(failure.operation()).isEqualTo("DeleteMessageBatch");
            assertThat(failure).hasMessageContaining("'orders'").hasMessageContaining("told by the stub");
        }

        @Test
        void mayRepeatACallThatSomethingBetweenRedirected() {
            stub.respond(request -> new Response(302, "<html>Sign in</html>", ""));
            QueueCallException failure = failure(() -> client.delete(queue, List.of("h")));
            assertThat(failure.retryable()).isTrue();
            assertThat(failure.refused()).isFalse();
            assertThat(failure).hasMessageContaining("a redirect, which SQS does not send; check the endpoint");
        }

        @ParameterizedTest
        @ValueSource(strings = {"<html>Blocked</html>", "", "{\"code\":null}", "{\"code\":{}}"})
        void namesAPageOfAProxyAndTheRemedy(String body) {
            stub.respond(request -> new Response(403, body, ""));
            QueueCallException failure = failure(() -> client.delete(queue, List.of("h")));
            assertThat(failure.code()).isEqualTo("NotFromSqs");
            assertThat(failure.retryable()).isFalse(); // as the SDK has it
            assertThat(failure)
                    .hasMessage(
                            "DeleteMessageBatch on the queue 'orders' failed with NotFromSqs: The response has no error"
                                    + " code, so it does not come from SQS itself (HTTP 403). Check the endpoint, and the proxies between here and SQS");
            assertThat(ReceiveFailure.of(failure).message()).isEqualTo(failure.getMessage());
        }

        @ParameterizedTest
        @CsvSource({
            "AccessDenied, Allow the credentials the action sqs:DeleteMessage on the queue",
            "SignatureDoesNotMatch, Check the access key"
        })
        void namesTheRemedyOfARefusal(String code, String remedy) {
            stub.respond(request -> Response.error(403, code));
            assertThat(failure(() -> client.delete(queue, List.of("h"))))
                    .hasMessageContaining(remedy)
                    .hasMessageNotContaining("clock");
        }

        @ParameterizedTest
        @CsvSource({
            "0, '', ConnectionFailed",
            "200, '{\"Successful\":[{\"Id\":', UnreadableResponse",
            "200, '<html>gateway</html>', UnreadableResponse",
            "200, '[1,2]', UnreadableResponse"
        })
        void mayRepeatACallWhoseConnectionWasCutOrWhoseResponseIsGarbled(int status, String body, String code) {
            stub.respond(request -> new Response(status, body, ""));
            QueueCallException failure = failure(() -> client.delete(queue, List.of("h")));
            assertThat(failure.code()).isEqualTo(code);
            assertThat(failure.retryable()).isTrue();
        }

        @Test
        void treatsAnEmptyResponseAsAllMissing() throws Exception {
            stub.respond(request -> Response.ok("{}"));
            assertThat(only(client.send(queue, List.of(entry("a")))))
                    .isInstanceOfSatisfying(
                            Rejected.class,
                            missing -> assertThat(missing.mayHaveBeenAccepted()).isTrue());
            assertThat(client.receive(new ReceiveCall(queue, 1, Duration.ZERO, null, null)))
                    .isEmpty();
        }

        /** No call could settle them together. */
        @Test
        void refusesMoreMessagesThanAReceiveOfSqsBrings() {
            String message =
                    "{\"MessageId\":\"m\",\"ReceiptHandle\":\"h\",\"Body\":\"a\",\"MD5OfBody\":\"0cc175b9c0f1b6a831c399e269772661\"}";
            stub.respond(request ->
                    Response.ok("{\"Messages\":[" + String.join(",", Collections.nCopies(11, message)) + "]}"));
            QueueCallException failure =
                    failure(() -> client.receive(new ReceiveCall(queue, 10, Duration.ZERO, null, null)));
            assertThat(failure.code()).isEqualTo("UnreadableResponse");
            assertThat(failure).hasMessageContaining("The response has 11 messages, but SQS sends at most 10");
        }

        @Test
        void endsALongPollWhenItsThreadIsInterrupted() throws Exception {
            CountDownLatch polling = new CountDownLatch(1);
            CountDownLatch never = new CountDownLatch(1);
            stub.respond(request -> {
                polling.countDown();
                try {
                    never.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return Response.cut();
            });
            CompletableFuture<Throwable> thrown = new CompletableFuture<>();
            CompletableFuture<Boolean> flag = new CompletableFuture<>();
            Thread poller = Thread.ofVirtual().start(() -> {
                try {
                    client.receive(new ReceiveCall(queue, 10, Duration.ofSeconds(20), null, null));
                    thrown.complete(new AssertionError("The poll returned"));
                } catch (Throwable e) {
                    thrown.complete(e);
                }
                flag.complete(Thread.currentThread().isInterrupted());
            });
            Progress.await(polling);
            poller.interrupt();
            assertThat(Progress.get(thrown))
                    .isInstanceOf(InterruptedException.class)
                    .hasMessageContaining("'orders'");
            assertThat(Progress.get(flag)).isFalse();
            assertThat(stub.requests()).hasSize(1);
        }

        @Test
        void doesNotCallWhenTheThreadIsInterruptedAlready() {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> client.delete(queue, List.of("h"))).isInstanceOf(InterruptedException.class);
            assertThat(Thread.interrupted()).isFalse();
            assertThat(stub.requests()).isEmpty();
        }
    }

    private static QueueCallException failure(ThrowingCallable call) {
        return catchThrowableOfType(QueueCallException.class, call);
    }

    private static SendEntry entry(String body) {
        return new SendEntry(body, Map.of(), null, null, null);
    }

    private static <R> List<R> accepted(List<EntryResult<R>> results) {
        List<R> values = new ArrayList<>();
        for (EntryResult<R> result : results) {
            assertThat(result).isInstanceOf(Accepted.class);
            if (result instanceof Accepted<R> accepted) {
                values.add(accepted.value());
            }
        }
        return values;
    }

    private static <T> T only(List<T> list) {
        assertThat(list).hasSize(1);
        return list.getFirst();
    }
}
