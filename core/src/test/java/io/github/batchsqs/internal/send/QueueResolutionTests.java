/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueAttributes;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.send.SendResult;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.PatientSender;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How the template resolves queues, and shares the sender of a queue. */
class QueueResolutionTests extends TemplateFixture {

    @Test
    void resolvesAQueueToOneSenderHoweverItIsNamed() {
        BatchSqsTemplate patient = template(options -> options.linger(Duration.ofSeconds(10)));
        seam.close();
        List<CompletableFuture<SendResult>> all = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            String reference = i % 2 == 0 ? "q" : standard.url();
            all.add(patient.send(reference, "text"));
        }
        seam.open();
        assertThat(all).allSatisfy(each -> assertThat(Progress.done(each)).isCompleted());
        assertThat(seam.sizes()).containsExactly(10);
    }

    @Test
    void resolvesAFifoQueueToOneSenderUnderTwoSpellingsOfItsUrl() {
        SenderResources two = resources(
                seam,
                new OtherSpellings(),
                queue -> events,
                SendObserver.NONE,
                SendBinding.NONE,
                TimeSource.system(),
                null);
        seam.close();
        try (var spelled = new BatchSqsTemplate(PatientSender.options().build(), two)) {
            var first = spelled.send(inGroup("1").build());
            seam.awaitCalls(1);
            var second = spelled.send(inGroup("2").queue("other-spelling").build());
            assertThat(spelled.bufferedBytes()).isPositive();
            seam.open();
            assertThat(Progress.done(second).state()).isEqualTo(Future.State.SUCCESS);
            assertThat(Progress.done(first)).isCompleted();
            assertThat(spelled.send(inGroup("3").queue("other-spelling").build())
                            .join()
                            .queue())
                    .isEqualTo("q.fifo");
        }
        assertThat(seam.urls).hasSize(1);
    }

    /** Finds the FIFO queue by another spelling of its URL. */
    private final class OtherSpellings implements QueueResolver {
        @Override
        public Queue resolve(String reference) throws InterruptedException {
            return reference.equals("other-spelling")
                    ? new Queue(fifo.name(), fifo.url().replace("://", "://other.") + "/")
                    : sqs.resolve(reference);
        }

        @Override
        public Queue create(String name) throws InterruptedException {
            return sqs.create(name);
        }

        @Override
        public QueueAttributes attributes(Queue queue) throws InterruptedException {
            return sqs.attributes(queue);
        }
    }

    @Test
    void retriesTheResolutionUntilTheDeliveryTimeoutWhenTheFailureMayPass() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        sqs.faults(Faults.failing(
                Operation.RESOLVE, call -> tries.incrementAndGet() <= 1 ? call.connectionFailed() : null));
        BatchSqsTemplate quick = template(options -> options);
        quick.sendAndWait("q", "text");
        assertThat(tries).hasValue(2);
        assertThat(events.log.stream().filter("call 1 ConnectionFailed"::equals))
                .hasSize(1);
    }

    @Test
    void resolvesAQueueNoLongerThanTheDeliveryTimeoutAndNamesIt() {
        sqs.faults(Faults.failing(Operation.RESOLVE));
        BatchSqsTemplate hasty = template(options -> options.deliveryTimeout(Duration.ofMillis(200)));
        SendFailedException failure = failureOf(hasty.send("q", "text"));
        assertThat(failure.code()).isEqualTo(SendFailedException.QUEUE_UNAVAILABLE);
        assertThat(failure.retryable()).isTrue();
        assertThat(failure.delivery()).isEqualTo(SendFailedException.Delivery.NOT_SENT);
        assertThat(failure).hasMessageContaining("delivery-timeout (200ms)").hasMessageContaining("looked up");
        assertThat(events.log).contains("refused QueueUnavailable");
    }

    @Test
    void resolvesAQueueOnceForManyThreadsWithoutDelayingOtherQueues() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch response = new CountDownLatch(1);
        template.sendAndWait(inGroup("known").build());
        sqs.faults(Faults.before(Operation.RESOLVE, call -> {
            asked.countDown();
            response.await();
        }));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<SendResult>> all = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                all.add(threads.submit((Callable<SendResult>) () -> template.sendAndWait("q", "text")));
            }
            asked.await();
            template.sendAndWait(inGroup("other").build());
            response.countDown();
            for (Future<SendResult> each : all) {
                assertThat(each.get().queue()).isEqualTo("q");
            }
        }
        assertThat(sqs.calls(Operation.RESOLVE)).isEqualTo(2);
    }
}
