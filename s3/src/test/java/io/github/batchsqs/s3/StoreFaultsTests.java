/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.internal.send.BatchSqsTemplate;
import io.github.batchsqs.pull.ReceiveRequest;
import io.github.batchsqs.s3.S3Server.Call;
import io.github.batchsqs.s3.S3Server.Failure;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.testkit.Progress;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.payloadoffloading.PayloadS3Pointer;

/** What becomes of messages and objects when S3, SQS or a handler fails; over HTTP, with ElasticMQ and {@link S3Server}. */
class StoreFaultsTests {

    private static final String LARGE = "x".repeat(1_200_000);

    @AutoClose
    private final S3Server s3 = new S3Server();

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    private ApplicationContextRunner sender() {
        return Applications.local(Queues.ENDPOINT, s3.endpoint()).withBean(MeterRegistry.class, () -> meters);
    }

    private ApplicationContextRunner listener(String queue, Inbox inbox) {
        return sender().withBean(Inbox.class, () -> inbox).withPropertyValues("inbox=" + queue);
    }

    private void send(String queue, String... payloads) {
        sender().run(context -> assertThat(context.getBean(BatchSqsTemplate.class)
                        .sendAll(queue, List.of(payloads))
                        .failed())
                .isEmpty());
    }

    /** Puts a pointer into a queue that points to whatever is given. */
    private static void sendPointer(String queue, String bucket, String key, long size) {
        Queues.SQS
                .client()
                .sendMessage(request -> request.queueUrl(Queues.SQS.url(queue))
                        .messageBody(new PayloadS3Pointer(bucket, key).toJson())
                        .messageAttributes(Map.of(
                                "ExtendedPayloadSize",
                                MessageAttributeValue.builder()
                                        .dataType("Number")
                                        .stringValue(Long.toString(size))
                                        .build())));
    }

    /** Receives a pointer whose payload is unreadable, and returns the error of the dead letter. */
    private String errorOf(String bucket, String key, long size) {
        String deadLetters = Queues.SQS.standard();
        String queue = Queues.SQS.withDeadLetters(deadLetters, 5, Map.of());
        sendPointer(queue, bucket, key, size);
        var inbox = new Inbox();
        listener(queue, inbox)
                .withPropertyValues("batchsqs.in-flight-bytes=1MB")
                .run(context -> Progress.until(() -> Queues.SQS.size(deadLetters), 1));
        assertThat(inbox.invocations).hasValue(0);
        Message dead = Queues.SQS.receive(deadLetters).getFirst();
        return Objects.requireNonNull(dead.messageAttributes().get("BatchSqsErrorMessage"))
                .stringValue();
    }

    private double counted(String name, String... tags) {
        return meters.find(name).tags(tags).counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    @Nested
    class Sending {

        @Test
        void anUploadThatGetsNoResponseIsTriedAgainAfterItsTimeout() {
            String queue = Queues.SQS.standard();
            CountDownLatch end = new CountDownLatch(1);
            s3.with(call -> {
                if (call.isPut() && s3.count(Call::isPut) == 1) {
                    end.await();
                }
                return null;
            });
            Applications.withTimeouts(sender(), S3Options.FETCH_TIMEOUT, Duration.ofSeconds(1))
                    .run(context -> {
                        Progress.get(context.getBean(BatchSqsTemplate.class).send(queue, LARGE));
                        end.countDown();
                    });
            assertThat(counted("batchsqs.s3.failures", "queue", queue, "operation", "upload"))
                    .isPositive();
            assertThat(Queues.SQS.size(queue)).isEqualTo(1);
        }

        @ParameterizedTest
        @CsvSource({"400, RequestTimeout", "503, SlowDown", "409, OperationAborted", "400, ExpiredToken"})
        void anUploadThatMayPassIsTriedAgain(int status, String code) {
            String queue = Queues.SQS.standard();
            s3.with(call -> call.isPut() && s3.count(Call::isPut) <= 5 ? new Failure(status, code) : null);
            sender().run(context ->
                    Progress.get(context.getBean(BatchSqsTemplate.class).send(queue, LARGE)));
            assertThat(counted("batchsqs.s3.failures", "operation", "upload", "code", code))
                    .isPositive();
            assertThat(counted("batchsqs.s3.uploaded", "queue", queue)).isEqualTo(1);
            assertThat(s3.objects).hasSize(1);
            assertThat(Queues.SQS.size(queue)).isEqualTo(1);
        }

        @ParameterizedTest
        @CsvSource({
            "301, PermanentRedirect, the region eu-west-1",
            "400, AuthorizationHeaderMalformed, spring.cloud.aws.s3.region",
            "404, NoSuchBucket, batchsqs.s3.bucket",
            "403, AccessDenied, s3:PutObject",
            "403, InvalidAccessKeyId, the credentials",
            "400, InvalidRequest, InvalidRequest"
        })
        void anUploadThatNobodyMendsMeanwhileFailsAtOnceAndIsNotSent(int status, String code, String remedy) {
            String queue = Queues.SQS.standard();
            s3.fail(Call::isPut, new Failure(status, code));
            sender().run(context -> {
                var template = context.getBean(BatchSqsTemplate.class);
                var large = template.send(queue, LARGE);
                Progress.get(template.send(queue, "small"));
                assertThat(Progress.failure(large))
                        .isInstanceOfSatisfying(SendFailedException.class, failure -> {
                            assertThat(failure.code()).isEqualTo(SendFailedException.PAYLOAD_NOT_STORED);
                            assertThat(failure.delivery()).isEqualTo(SendFailedException.Delivery.NOT_SENT);
                            assertThat(failure.retryable()).isFalse();
                        })
                        .hasMessageContainingAll(code, remedy, "s3://payloads/");
            });
            assertThat(counted("batchsqs.s3.failures", "operation", "upload", "code", code))
                    .isEqualTo(1);
            assertThat(Queues.SQS.size(queue)).isEqualTo(1);
        }

        @Test
        void theObjectOfAMessageThatSqsRefusesIsRemoved() {
            String queue = Queues.SQS.standard();
            sender().run(context -> {
                var template = context.getBean(BatchSqsTemplate.class);
                Progress.get(template.send(queue, "so that the queue is known"));
                Queues.SQS.client().deleteQueue(request -> request.queueUrl(Queues.SQS.url(queue)));
                assertThat(Progress.failure(template.send(queue, LARGE))).isInstanceOf(SendFailedException.class);
                Progress.until(() -> s3.count(Call::isDelete) > 0);
            });
            assertThat(s3.count(Call::isPut)).isEqualTo(1);
            assertThat(s3.objects).isEmpty();
        }

        @Test
        void aMessageThatBreaksARuleIsNotSent() {
            String queue = Queues.SQS.standard();
            sender().withPropertyValues("batchsqs.in-flight-bytes=1MB").run(context -> {
                var template = context.getBean(BatchSqsTemplate.class);
                var tenAttributes = OutgoingMessage.builder(queue, "x".repeat(1_048_000));
                IntStream.range(0, 10).forEach(i -> tenAttributes.attribute("a" + i, "x".repeat(100)));
                assertThat(Progress.failure(template.send(tenAttributes.build())))
                        .hasMessageContainingAll("10 attributes", "at most 9", "ExtendedPayloadSize");
                assertThat(Progress.failure(template.send(queue, LARGE)))
                        .hasMessageContainingAll("1200000 bytes", "batchsqs.in-flight-bytes is 1MB");
                assertThat(Progress.failure(template.send(OutgoingMessage.builder(queue, "small")
                                .attribute("SQSLargePayloadSize", MessageAttribute.number(1))
                                .build())))
                        .hasMessageContaining("no message may have them itself");
            });
            assertThat(s3.calls).isEmpty();
            assertThat(Queues.SQS.size(queue)).isZero();
        }
    }

    @Nested
    class Receiving {

        @Test
        void anOutageOfS3CostsNoAttempt() {
            String queue = Queues.SQS.standard();
            send(queue, LARGE);
            CountDownLatch failed = new CountDownLatch(5);
            s3.with(call -> {
                failed.countDown();
                return Failure.UNAVAILABLE;
            });
            var inbox = new Inbox();
            listener(queue, inbox).run(context -> {
                Progress.await(failed);
                s3.recover();
                var message = Progress.take(inbox.handled);
                assertThat(message.payload()).isEqualTo(LARGE);
                assertThat(message.receiveCount()).isEqualTo(1);
            });
            assertThat(counted("batchsqs.s3.fetched", "queue", queue)).isEqualTo(1);
            assertThat(counted("batchsqs.s3.failures", "operation", "fetch")).isZero();
        }

        @Test
        void anOutageLongerThanTheFetchTimeoutIsAFailedAttempt() {
            String queue = Queues.SQS.standard();
            send(queue, LARGE);
            s3.fail(Call::isGet, Failure.DENIED);
            var inbox = new Inbox();
            Applications.withTimeouts(listener(queue, inbox), Duration.ZERO, S3Options.UPLOAD_TIMEOUT)
                    .run(context -> {
                        Progress.until(() -> counted("batchsqs.s3.failures", "operation", "fetch") >= 2);
                        s3.recover();
                        var message = Progress.take(inbox.handled);
                        assertThat(message.payload()).isEqualTo(LARGE);
                        assertThat(message.receiveCount()).isGreaterThan(1);
                    });
        }

        @Test
        void aFetchThatGetsHalfAnObjectEndsWithItsTimeout() {
            String queue = Queues.SQS.standard();
            send(queue, LARGE);
            CountDownLatch end = new CountDownLatch(1);
            s3.stopHalfway(end);
            var inbox = new Inbox();
            Applications.withTimeouts(listener(queue, inbox), Duration.ofSeconds(1), S3Options.UPLOAD_TIMEOUT)
                    .run(context -> {
                        Progress.until(() -> counted("batchsqs.s3.failures", "operation", "fetch") >= 1);
                        s3.recover();
                        end.countDown();
                        var message = Progress.take(inbox.handled);
                        assertThat(message.payload()).isEqualTo(LARGE);
                        assertThat(s3.count(Call::isGet))
                                .as("one for each receive")
                                .isLessThanOrEqualTo(message.receiveCount());
                    });
        }

        @Test
        void aMissingObjectIsAnUnreadablePayloadThatNamesItsKey() {
            assertThat(errorOf(Applications.BUCKET, "gone", 5)).contains("s3://payloads/gone is missing");
        }

        @Test
        void aBucketThatIsNotAllowedIsNotReadAndNothingInItDeleted() {
            s3.objects.put("secrets/key", "secret".getBytes(StandardCharsets.UTF_8));

            assertThat(errorOf("secrets", "key", 6)).contains("s3://secrets/key", "batchsqs.s3.read-buckets");
            assertThat(s3.calls).isEmpty();
            assertThat(s3.objects).containsKey("secrets/key");
        }

        @Test
        void objectsOfOthersAreReadAndNotDeleted() {
            String queue = Queues.SQS.standard();
            s3.objects.put("theirs/key", "from another bucket".getBytes(StandardCharsets.UTF_8));
            s3.objects.put("payloads/other/key", "from another prefix".getBytes(StandardCharsets.UTF_8));
            s3.objects.put("payloads/mine/key", "mine".getBytes(StandardCharsets.UTF_8));
            sendPointer(queue, "theirs", "key", 19);
            sendPointer(queue, Applications.BUCKET, "other/key", 19);
            sendPointer(queue, Applications.BUCKET, "mine/key", 4);
            var inbox = new Inbox();
            listener(queue, inbox)
                    .withPropertyValues("batchsqs.s3.read-buckets=theirs", "batchsqs.s3.key-prefix=mine/")
                    .run(context -> {
                        List<String> payloads = List.of(
                                Progress.take(inbox.handled).payload(),
                                Progress.take(inbox.handled).payload(),
                                Progress.take(inbox.handled).payload());
                        assertThat(payloads)
                                .containsExactlyInAnyOrder("from another bucket", "from another prefix", "mine");
                        Progress.until(() -> Queues.SQS.size(queue), 0);
                    });
            assertThat(s3.objects).containsOnlyKeys("theirs/key", "payloads/other/key");
        }

        @Test
        void anObjectThatIsTooLargeIsNotRead() {
            s3.objects.put("payloads/large", new byte[1_200_000]);

            assertThat(errorOf(Applications.BUCKET, "large", 1_200_000))
                    .contains("1200000 bytes", "batchsqs.in-flight-bytes is 1MB");
        }

        @Test
        void anArchivedObjectIsAnUnreadablePayload() {
            s3.fail(Call::isGet, new Failure(403, "InvalidObjectState"));
            assertThat(errorOf(Applications.BUCKET, "archived", 5))
                    .contains("s3://payloads/archived", "restore the object");
            assertThat(counted("batchsqs.s3.failures", "operation", "fetch", "code", "InvalidObjectState"))
                    .isEqualTo(1);
        }

        @Test
        void aDeadLetterKeepsItsObjectUntilItsRedriveIsHandled() {
            String deadLetters = Queues.SQS.standard();
            String queue = Queues.SQS.withDeadLetters(deadLetters, 5, Map.of());
            send(queue, LARGE);
            var poisoned = new Inbox(message -> {
                throw new IllegalArgumentException("never");
            });
            listener(queue, poisoned)
                    .withPropertyValues("batchsqs.listener.failure.non-retryable=java.lang.IllegalArgumentException")
                    .run(context -> {
                        Progress.until(() -> Queues.SQS.size(deadLetters), 1);
                        Progress.until(() -> Queues.SQS.size(queue), 0);
                    });
            assertThat(s3.count(Call::isDelete)).isZero();
            assertThat(s3.objects).hasSize(1);

            var inbox = new Inbox();
            listener(deadLetters, inbox).run(context -> {
                var message = Progress.take(inbox.handled);
                assertThat(message.payload()).isEqualTo(LARGE);
                assertThat(message.attributes()).containsKey("BatchSqsErrorMessage");
                Progress.until(s3.objects::isEmpty);
            });
        }

        @Test
        void objectsStayIfTheyAreNotToBeDeleted() {
            String queue = Queues.SQS.standard();
            send(queue, LARGE);
            var inbox = new Inbox();
            listener(queue, inbox)
                    .withPropertyValues("batchsqs.s3.delete-after=false")
                    .run(context -> {
                        Progress.take(inbox.handled);
                        Progress.until(() -> Queues.SQS.size(queue), 0);
                    });
            assertThat(s3.count(Call::isDelete)).isZero();
            assertThat(s3.objects).hasSize(1);
        }

        @Test
        void aCallerWhoReceivesGetsThePayloadAndAnAcknowledgementDeletesTheObject() {
            String queue = Queues.SQS.standard();
            sender().run(context -> {
                var template = context.getBean(BatchSqsTemplate.class);
                template.sendAndWait(queue, LARGE);
                var message =
                        template.receive(ReceiveRequest.of(queue, String.class)).getFirst();

                assertThat(s3.count(Call::isGet)).isZero();
                assertThat(message.payload()).isEqualTo(LARGE);
                assertThat(message.body()).isEqualTo(LARGE);
                assertThat(message.attributes()).isEmpty();
                assertThat(s3.objects).hasSize(1);
                Progress.get(message.acknowledge());
                Progress.until(s3.objects::isEmpty);
            });
            assertThat(Queues.SQS.size(queue)).isZero();
        }

        @Test
        void aBatchEndsBeforeItsPayloadsExceedAQuarterOfTheMemory() {
            String queue = Queues.SQS.standard();
            String[] payloads = IntStream.range(0, 20).mapToObj(i -> LARGE + i).toArray(String[]::new);
            send(queue, payloads);
            var inbox = new Inbox();
            listener(queue, inbox)
                    .withPropertyValues("batchsqs.in-flight-bytes=12MB", "batchsqs.listener.batch-linger=1s")
                    .run(context -> {
                        List<String> handled = new ArrayList<>();
                        while (handled.size() < payloads.length) {
                            handled.add(Progress.take(inbox.handled).payload());
                        }
                        assertThat(handled).containsExactlyInAnyOrder(payloads);
                        Progress.until(() ->
                                meters.get("batchsqs.s3.memory.used").gauge().value() == 0);
                    });
            assertThat(inbox.largestBatch.get()).isBetween(1, 2);
        }
    }
}
