/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.send.SenderOptions;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.PatientSender;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.StoredMessage;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Messages that are bound to a transaction of the thread. */
class BoundMessagesTests extends TemplateFixture {

    private @Nullable BoundMessages transaction;

    private boolean active = true;

    private final SendBinding binding = new SendBinding() {
        @Override
        public boolean active() {
            return active;
        }

        @Override
        public BoundMessages bound(Supplier<BoundMessages> first) {
            if (transaction == null) {
                transaction = first.get();
            }
            return transaction;
        }
    };

    private final BatchSqsTemplate bound = template(PatientSender.options().build(), resources(sqs, binding));

    @Test
    void checksBoundMessagesAtOnceAndSendsThemInOrderOnSuccess() throws Exception {
        var first = bound.send(inGroup("1").build());
        var second = bound.send(inGroup("2").build());
        assertThat(bound.send("q.fifo", "no group")).isCompletedExceptionally();
        Progress.get(bound.flush());
        assertThat(sqs.visible(fifo)).isEmpty();

        commit();
        Progress.get(CompletableFuture.allOf(first, second));
        assertThat(sqs.visible(fifo)).extracting(StoredMessage::body).containsExactly("1", "2");
    }

    @Test
    void reservesRoomForBoundMessagesSoThatTheCommitNeverWaits() throws Exception {
        BatchSqsTemplate tight = tight(Duration.ofMillis(1), seam);
        active = false;
        lookUp(tight);
        active = true;
        seam.close();
        long empty = tight.bufferedBytes();
        var first = tight.send("q", LARGEST);
        assertThat(tight.bufferedBytes()).isGreaterThan(empty);
        var tooMuch = tight.send("q", LARGEST);
        SendFailedException failure = failureOf(tooMuch);
        assertThat(failure.code()).isEqualTo(SendFailedException.BUFFER_FULL);
        assertThat(failure).hasMessageContainingAll("those of a transaction fill the buffer", "buffer-bytes: 2MB");
        commit();
        seam.open();
        assertThat(Progress.done(first)).isCompleted();
        assertThat(tight.bufferedBytes()).isZero();
        tight.close();
    }

    @Test
    void allWaitsOfATransactionTogetherLastMaxBlock() throws Exception {
        seam.close();
        BatchSqsTemplate tight = tight(Duration.ofMillis(200), seam);
        active = false;
        awaitQueue(tight);
        var other = tight.send("q", LARGEST);
        active = true;
        assertThat(failureOf(tight.send("q", LARGEST)).code()).isEqualTo(SendFailedException.BUFFER_FULL);
        assertThat(Objects.requireNonNull(transaction).patience.leftNanos()).isZero();
        commit();
        seam.open();
        assertThat(Progress.done(other)).isCompleted();
        tight.close();
    }

    @Test
    void waitsForAQueueCountForTheWaitsOfTheTransaction() {
        CountDownLatch mayRespond = new CountDownLatch(1);
        sqs.faults(Faults.before(Operation.RESOLVE, call -> mayRespond.await()));
        try (BatchSqsTemplate tight = tight(Duration.ofMillis(20), seam)) {
            assertThat(failureOf(tight.send("q", "1"))).hasMessageContaining("within max-block (20ms, which");
            assertThat(failureOf(tight.send("q", "2"))).hasMessageContaining("within max-block (20ms, which");
            mayRespond.countDown();
        }
    }

    @Test
    void callbacksOfMessagesThatWereNotCommittedMayWaitForOneAnother() {
        var first = bound.send("q", "1");
        var second = bound.send("q", "2");
        var waited =
                first.handle((sent, failure) -> second.handle((s, f) -> true).join());
        abandon();
        assertThat(Progress.done(waited)).isCompleted();
    }

    private BatchSqsTemplate tight(Duration maxBlock, QueueClient client) {
        return new BatchSqsTemplate(
                SenderOptions.builder()
                        .buffer(new SenderOptions.Buffer(2 << 20, maxBlock))
                        .build(),
                resources(client, binding));
    }

    private void commit() {
        if (transaction != null) {
            transaction.committed();
        }
    }

    private void abandon() {
        if (transaction != null) {
            transaction.abandoned();
        }
    }

    @Test
    void sendsNoBoundMessagesOnFailure() {
        var future = bound.send("q", "text");
        abandon();
        assertThat(failureOf(future).code()).isEqualTo(SendFailedException.NOT_COMMITTED);
        assertThat(sqs.visible(standard)).isEmpty();
        assertThat(bound.bufferedBytes()).isZero();
    }

    @Test
    void failsBoundMessagesIfTheTemplateWasClosedMeanwhile() {
        var future = bound.send("q", "text");
        bound.close();
        commit();
        assertThat(Progress.failure(future)).hasMessageContaining(SendFailedException.CLOSED);
        assertThat(bound.bufferedBytes()).isZero();
    }

    @Test
    void refusesToSendAndWaitInATransaction() throws Exception {
        assertThat(bound.sendsAfterCommit()).isTrue();
        assertThatThrownBy(() -> bound.sendAndWait("q", "text"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("sendAndWait waits for SQS's response", "use send");
        assertThatThrownBy(() -> bound.sendAll("q", List.of("text"))).isInstanceOf(IllegalStateException.class);
        active = false;
        bound.sendAndWait("q", "text");
        assertThat(sqs.visible(standard)).hasSize(1);
    }
}
