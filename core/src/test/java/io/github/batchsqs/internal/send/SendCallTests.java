/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.Faults.Rejection;
import io.github.batchsqs.testkit.InMemoryPayloadStore;
import io.github.batchsqs.testkit.PatientSender;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.StoredMessage;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SendCallTests extends TemplateFixture {

    private final InMemoryPayloadStore store = new InMemoryPayloadStore();
    private final BatchSqsTemplate storing = storing(SendBinding.NONE, store);

    @Test
    void thePointerIsSentWhenThePayloadIsStored() throws Exception {
        store.uploads(payload -> {
            assertThat(seam.entries).isEmpty();
            return null;
        });
        Progress.get(storing.send("q", "large payload"));

        assertThat(store.objects).containsExactly(entry("key-1", "large payload"));
        assertThat(sqs.visible(standard)).extracting(StoredMessage::body).containsExactly("key-1");
        assertThat(storing.bufferedBytes()).isZero();
    }

    @Test
    void aPayloadCountsInTheBufferAndNotInTheCall() throws Exception {
        String payload = "large" + "x".repeat(3 << 20);
        CountDownLatch uploading = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        store.uploads(body -> {
            uploading.countDown();
            Progress.await(goOn);
            return null;
        });
        var sent = storing.send("q", payload);
        Progress.await(uploading);
        assertThat(storing.bufferedBytes()).isGreaterThan(3 << 20);
        goOn.countDown();
        Progress.get(sent);
        Progress.until(storing::bufferedBytes, 0L);
    }

    @Test
    void aFailedUploadHoldsBackItsGroupAlone() throws Exception {
        AtomicInteger uploads = new AtomicInteger();
        store.uploads(payload ->
                payload.equals("large 2") && uploads.incrementAndGet() < 3 ? InMemoryPayloadStore.unavailable() : null);
        List<OutgoingMessage> messages = IntStream.range(0, 8)
                .mapToObj(i -> inGroup(i % 2 == 0 ? "large " + i : "small " + i).build())
                .toList();

        assertThat(storing.sendAll(messages).failed()).isEmpty();

        assertThat(sqs.visible(fifo))
                .extracting(message -> store.objects.getOrDefault(message.body(), message.body()))
                .containsExactly(
                        "large 0", "small 1", "large 2", "small 3", "large 4", "small 5", "large 6", "small 7");
        assertThat(store.objects).hasSize(4);
        assertThat(uploads).hasValue(3);
    }

    @Test
    void anUploadThatIsOfNoUseFailsItsMessageAlone() throws Exception {
        store.uploads(payload -> payload.equals("large 2") ? InMemoryPayloadStore.unreadable() : null);
        List<OutgoingMessage> messages = IntStream.range(0, 4)
                .mapToObj(i -> inGroup("large " + i).build())
                .toList();

        assertThat(storing.sendAll(messages).failed()).singleElement().satisfies(failed -> {
            assertThat(failed.cause().code()).isEqualTo(SendFailedException.PAYLOAD_NOT_STORED);
            assertThat(failed.cause()).hasMessageContaining("the object is missing");
        });
        assertThat(sqs.visible(fifo)).hasSize(3);
        assertThat(store.discarded).hasSize(1);
    }

    @Test
    void aPayloadIsUploadedOnceAndDiscardedIfSqsRefusesItsMessage() {
        AtomicInteger uploads = new AtomicInteger();
        AtomicInteger sends = new AtomicInteger();
        store.uploads(payload -> {
            uploads.incrementAndGet();
            return null;
        });
        sqs.faults(Faults.refusing(
                (call, subject) -> sends.incrementAndGet() < 3 ? new Rejection("Throttled", true) : Rejection.INVALID));

        assertThat(failureOf(storing.send("q", "large payload")).code()).isEqualTo("InvalidParameterValue");
        assertThat(uploads).hasValue(1);
        assertThat(sends).hasValue(3);
        assertThat(store.discarded).containsExactly("key-1");
    }

    @Test
    void aMessageWhoseUploadHasNotEndedByItsDeadlineIsReportedAsNotSentAndIsNeverSent() {
        CountDownLatch uploading = new CountDownLatch(1);
        CompletableFuture<Void> goOn = new CompletableFuture<>();
        store.uploads(payload -> {
            uploading.countDown();
            goOn.join(); // ends by no interrupt
            return null;
        });
        var sent = storing.send("q", "large payload");
        Progress.await(uploading);
        clock.skip(
                PatientSender.options().build().deliveryTimeout().dividedBy(10).multipliedBy(9));
        SendFailedException failure = failureOf(sent);

        assertThat(failure.code()).isEqualTo(SendFailedException.DELIVERY_TIMEOUT);
        assertThat(failure.delivery()).isEqualTo(SendFailedException.Delivery.NOT_SENT);
        assertThat(failure.attempts()).isZero();
        assertThat(failure).hasMessageContaining("No call carried it in nine tenths of delivery-timeout");
        assertThat(failure.retryable()).isTrue();
        goOn.complete(null);
        Progress.until(() -> store.discarded.size(), 2); // at the failure, and when the upload had ended
        assertThat(store.discarded).containsOnly("key-1");
        assertThat(seam.entries).isEmpty();
    }

    @Test
    void uploadsAreNoAttempts() {
        AtomicInteger uploads = new AtomicInteger();
        store.uploads(payload -> uploads.incrementAndGet() < 4 ? InMemoryPayloadStore.unavailable() : null);
        sqs.faults(Faults.refusing((call, subject) -> Rejection.INVALID));
        SendFailedException failure = failureOf(storing.send("q", "large payload"));

        assertThat(uploads).hasValue(4);
        assertThat(failure.attempts()).isEqualTo(1);
        assertThat(failure.delivery()).isEqualTo(SendFailedException.Delivery.REFUSED);
    }

    @Test
    void aStoreThatThrowsIsAskedAgain() throws Exception {
        AtomicInteger uploads = new AtomicInteger();
        store.uploads(payload -> {
            if (uploads.incrementAndGet() < 3) {
                throw new IllegalStateException("of the store");
            }
            return null;
        });
        Progress.get(storing.send("q", "large payload"));

        assertThat(uploads).hasValue(3);
        assertThat(sqs.visible(standard)).hasSize(1);
    }
}
