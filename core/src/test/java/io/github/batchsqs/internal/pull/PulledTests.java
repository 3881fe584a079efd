/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.pull;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.SnsNotification;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.codec.ConversionException;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.client.VisibilityChange;
import io.github.batchsqs.payload.PayloadStoreException;
import io.github.batchsqs.pull.PulledMessage;
import io.github.batchsqs.pull.PulledMessages;
import io.github.batchsqs.pull.ReceiveRequest;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.Faults.Rejection;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.Progress;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the caller of a receive can do with its messages. */
class PulledTests extends PullFixture {

    record Order(int number) {}

    @Test
    void triesAgainOnlyWhatWasRefused() throws Exception {
        sqs.put(queue, bodies(3));
        var messages = receive(request -> request);
        sqs.faults(Faults.refusing((call, subject) ->
                call.number() < 3 && subject.equals(messages.get(1).id()) ? Rejection.INTERNAL_ERROR : null));

        CompletableFuture<Void> acknowledged = messages.acknowledge();
        flush();

        assertThat(Progress.done(acknowledged)).isCompleted();
        assertThat(calls)
                .containsExactly(
                        "ReceiveMessage 3", "DeleteMessageBatch 3", "DeleteMessageBatch 1", "DeleteMessageBatch 1");
        sqs.assertDrained(queue);
    }

    @Test
    void settlesOnlyWhatIsNotSettled() throws Exception {
        sqs.put(queue, bodies(3));
        var messages = receive(request -> request);
        var first = messages.getFirst().acknowledge();

        CompletableFuture<Void> released = messages.release();
        flush();

        assertThat(Progress.done(first)).isCompleted();
        assertThat(Progress.done(released)).isCompleted();
        assertThat(calls).contains("DeleteMessageBatch 1", "ChangeMessageVisibilityBatch 2");
        assertThat(bodiesOf(sqs.visible(queue))).containsExactlyInAnyOrder("m1", "m2");
    }

    @Test
    void refusesTimesAboveTwelveHours() throws Exception {
        sqs.put(queue, "m0");
        var message = receive(request -> request).getFirst();

        assertThatThrownBy(() -> message.extend(Duration.ofHours(13)))
                .isInstanceOf(InvalidOptionException.class)
                .hasMessageContaining("visibility-timeout must be between 1s and 12h, but is 13h");
    }

    @Test
    void returnsTheMessagesOfAGroupWithTheLastFirst() throws Exception {
        sqs.putInGroup(fifo, "g", bodies(3));
        PulledMessages<String> messages = receive("q.fifo", request -> request);

        var released = messages.release();
        flush();

        assertThat(Progress.done(released)).isCompleted();
        assertThat(seam.changes).hasSize(1);
        assertThat(seam.changes.getFirst())
                .extracting(VisibilityChange::receiptHandle)
                .containsExactlyElementsOf(messages.reversed().stream()
                        .map(PulledMessage::receiptHandle)
                        .toList());
        assertThat(receive("q.fifo", request -> request).payloads()).containsExactly(bodies(3));
    }

    @Test
    void settlesAMessageOnce() throws Exception {
        sqs.put(queue, "m0");
        var message = receive(request -> request).getFirst();

        var acknowledged = message.acknowledge();
        var released = message.release();
        flush();

        assertThat(Progress.done(acknowledged)).isCompleted();
        assertThat(Progress.done(released)).isCompleted();
        assertThat(Progress.done(message.acknowledge())).isCompleted();
        assertThat(calls).containsExactly("ReceiveMessage 1", "DeleteMessageBatch 1");
    }

    @Test
    void settlesAMessageAgainIfThatHasFailed() throws Exception {
        sqs.put(queue, "m0");
        var message = receive(request -> request).getFirst();
        sqs.faults(new Refusing());
        var refused = message.acknowledge();
        flush();
        assertThat(Progress.failure(refused))
                .isInstanceOfSatisfying(QueueCallException.class, failure -> {
                    assertThat(failure.operation()).isEqualTo("DeleteMessageBatch");
                    assertThat(failure.code()).isEqualTo("InvalidParameterValue");
                })
                .hasMessageContaining("The message " + message.id()
                        + " of the queue 'q' was not deleted, so that it is delivered again (InvalidParameterValue): ");

        sqs.faults(Faults.NONE);
        var acknowledged = message.acknowledge();
        flush();

        assertThat(Progress.done(acknowledged)).isCompleted();
        sqs.assertDrained(queue);
    }

    @Test
    void keepsAMessageHiddenForLonger() throws Exception {
        sqs.put(queue, "m0");
        var message = receive(request -> request).getFirst();
        assertThat(message.leaseLost()).isFalse(); // the queue's timeout is not known
        time.advance(Duration.ofSeconds(20));

        var extended = message.extend(Duration.ofMinutes(2));
        flush();

        assertThat(Progress.done(extended)).isCompleted();
        time.advance(Duration.ofSeconds(119));
        assertThat(sqs.inFlight(queue)).hasSize(1);
        assertThat(message.leaseLost()).isFalse();
        time.advance(Duration.ofSeconds(1));
        assertThat(sqs.visible(queue)).hasSize(1);
        assertThat(message.leaseLost()).isTrue();
    }

    @Test
    void extendsNothingThatWasSettled() throws Exception {
        sqs.put(queue, "m0");
        var message = receive(request -> request).getFirst();
        var released = message.release();
        var extended = message.extend(Duration.ofMinutes(2));
        flush();

        assertThat(Progress.done(released)).isCompleted();
        assertThat(Progress.failure(extended))
                .isInstanceOf(QueueCallException.class)
                .hasMessageContaining("was acknowledged or released before");
        assertThat(sqs.visible(queue)).hasSize(1);
    }

    @Test
    void knowsThatTheVisibilityTimeoutOfItsRequestHasPassed() throws Exception {
        sqs.put(queue, "m0");
        var message = receive(request -> request.visibilityTimeout(Duration.ofSeconds(5)))
                .getFirst();
        assertThat(message.leaseLost()).isFalse();
        time.advance(Duration.ofSeconds(5));
        assertThat(message.leaseLost()).isTrue();
    }

    @Test
    void settlesMessagesOfSeveralQueuesApart() throws Exception {
        Queue other = sqs.createQueue("other");
        sqs.put(queue, "m0");
        sqs.put(other, "m1");
        var one = receive(request -> request);
        var two = receive("other", request -> request);
        sqs.deleteQueue(other);

        var deleted = one.acknowledge();
        var failed = two.acknowledge();
        flush();

        assertThat(Progress.done(deleted)).isCompleted();
        assertThat(Progress.failure(failed)).isInstanceOf(QueueCallException.class);
        sqs.assertDrained(queue);
    }

    @Test
    void opensNotificationsForATypeThatAsksForThem() throws Exception {
        sqs.put(
                queue,
                "{\"Type\":\"Notification\",\"MessageId\":\"1\",\"TopicArn\":\"arn:t\",\"Subject\":\"s\","
                        + "\"Message\":\"{\\\"number\\\":1}\",\"Timestamp\":\"2026-01-01T00:00:00.000Z\"}");
        Type type = PulledTests.class.getDeclaredField("notification").getGenericType();

        var notifications = puller.receive(queue, ReceiveRequest.<SnsNotification<Order>>of("q", type));

        assertThat(notifications.getFirst().payload().payload()).isEqualTo(new Order(1));
        assertThat(notifications.getFirst().payload().subject()).isEqualTo("s");
    }

    @Nullable
    SnsNotification<Order> notification;

    @Test
    void returnsAMessageWhosePayloadCannotBeRead() throws Exception {
        sqs.put(queue, "secret", "{\"number\":1}");

        var orders = puller.receive(queue, ReceiveRequest.of("q", Order.class));

        var unreadable = orders.getFirst();
        assertThatThrownBy(unreadable::payload)
                .isInstanceOf(ConversionException.class)
                .hasMessageStartingWith(
                        "The payload of message " + unreadable.id() + " of the queue 'q' cannot be read: ")
                .hasMessageEndingWith(". body() has its text; it stays in the queue unless it is acknowledged")
                .hasMessageNotContaining("secret");
        assertThat(unreadable.body()).isEqualTo("secret");
        assertThat(orders.get(1).payload()).isEqualTo(new Order(1));
        var acknowledged = unreadable.acknowledge();
        flush();
        assertThat(Progress.done(acknowledged)).isCompleted();
        assertThat(bodiesOf(sqs.inFlight(queue))).containsExactly("{\"number\":1}");
    }

    @Test
    void namesTheModuleForPayloadsInS3IfThereIsNoStore() throws Exception {
        String pointer = "[\"PayloadS3Pointer\",{\"s3BucketName\":\"payloads\",\"s3Key\":\"key\"}]";
        sqs.put(
                queue,
                List.of(new SendEntry(
                        pointer, Map.of("ExtendedPayloadSize", MessageAttribute.number(9)), null, null, null)));

        var message = receive(request -> request).getFirst();

        assertThatThrownBy(message::payload)
                .isInstanceOf(PayloadStoreException.class)
                .hasMessageContainingAll("batchsqs-spring-boot-s3", "batchsqs.s3.bucket");
        assertThat(message.body()).isEqualTo(pointer);
    }

    @Test
    void hasTheAttributesOfTheMessage() throws Exception {
        sqs.put(fifo, List.of(new SendEntry("m0", Map.of("kind", MessageAttribute.string("order")), null, "g", "id")));

        var message = receive("q.fifo", request -> request).getFirst();

        assertThat(message.attributes()).containsEntry("kind", MessageAttribute.string("order"));
        assertThat(message.groupId()).isEqualTo("g");
        assertThat(message.deduplicationId()).isEqualTo("id");
        assertThat(message.sequenceNumber()).isNotEmpty();
        assertThat(message.systemAttributes()).containsKey("SentTimestamp");
        assertThat(message.sentAt()).isEqualTo(time.now());
        assertThat(message.nativeMessage()).isNotNull();
    }

    /** Refuses every delete. */
    private static final class Refusing implements Faults {

        @Override
        public @Nullable Rejection reject(Call call, int index, String subject) {
            return call.operation() == Operation.DELETE ? Rejection.INVALID : null;
        }
    }
}
