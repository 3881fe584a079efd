/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.client.SentMessage;
import io.github.batchsqs.internal.events.SenderEvent;
import io.github.batchsqs.internal.events.SenderEvents;
import io.github.batchsqs.internal.sdk.BatchResults;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.send.SendResult;
import io.github.batchsqs.send.SendResults;
import io.github.batchsqs.send.SenderOptions;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whatever events, clients and observers of others do: futures complete, room comes back, meters tell the truth. */
class SendGuardTests extends TemplateFixture {

    @Test
    void aRefusalWithoutACodeFailsItsMessage() throws Exception {
        BatchSqsTemplate template = template(
                new SendSeam(sqs) {
                    @Override
                    List<EntryResult<SentMessage>> onSend(Queue queue, List<SendEntry> entries) {
                        BatchResults<SentMessage> results = new BatchResults<>(entries.size());
                        results.rejected("0", null, null, true);
                        return results.inOrder();
                    }
                },
                queue -> events);
        assertThat(failureOf(template.send("q", "text")).code()).isEqualTo("Unknown");
        Progress.get(template.flush());
        assertThat(template.bufferedBytes()).isZero();
        assertThat(events.ofMessages()).contains("buffered", "failed");
    }

    @Test
    void entriesThatTheServerCannotTakeAreLoggedAsFailingSends() throws Exception {
        AtomicInteger refusals = new AtomicInteger(3);
        sqs.faults(Faults.refusing(
                (call, subject) -> refusals.getAndDecrement() > 0 ? Faults.Rejection.INTERNAL_ERROR : null));
        try (var log = LogCapture.warnings()) {
            BatchSqsTemplate template = template(sqs, queue -> events);

            assertThat(Progress.get(template.send("q", "text")).queue()).isEqualTo("q");
            assertThat(log.event())
                    .contains("Sender: sending to q fails (InternalError)", "tried again until delivery-timeout");
        }
    }

    @Test
    void eventsThatThrowChangeNothingOfReceives() throws Exception {
        BatchSqsTemplate template = template(sqs, queue -> new Throwing());
        sqs.put(standard, "text");
        var received = template.receiveOne("q", String.class).orElseThrow();
        Progress.get(received.acknowledge());
        sqs.assertDrained(standard);
    }

    @Test
    void eventsThatThrowChangeNothing() throws Exception {
        BatchSqsTemplate template = template(sqs, queue -> new Throwing());
        var sent = template.send("q", "text");
        assertThat(Progress.get(sent).queue()).isEqualTo("q");
        assertThat(Progress.failure(template.send("q", ""))).isInstanceOf(SendFailedException.class);
        Progress.get(template.flush());
        assertThat(template.bufferedBytes()).isZero();
        assertThat(sqs.visible(standard)).hasSize(1);
    }

    @Test
    void eventsThatCannotBeMadeChangeNothing() throws Exception {
        BatchSqsTemplate template = template(sqs, queue -> {
            throw new NoClassDefFoundError("by a test's wish");
        });
        assertThat(Progress.get(template.send("q", "text")).queue()).isEqualTo("q");
    }

    @Test
    void countsMessagesToEverNewMissingQueuesUnderOneName() throws Exception {
        List<String> names = new CopyOnWriteArrayList<>();
        BatchSqsTemplate template = template(sqs, queue -> {
            names.add(queue);
            return events;
        });
        for (int i = 0; i < 300; i++) {
            assertThat(Progress.failure(template.send("missing-" + i, "text"))).isInstanceOf(SendFailedException.class);
        }
        assertThat(names)
                .doesNotHaveDuplicates()
                .hasSize(QueueEvents.MAX_WITH_UNKNOWN + 1)
                .contains("missing-0", QueueEvents.OTHERS);
        assertThat(events.ofMessages()).hasSize(300).containsOnly("refused QueueUnavailable");
        Progress.get(template.send("q", "text"));
        assertThat(names).last().isEqualTo("q"); // a queue that is found has its own name
    }

    @Test
    void asksOnceForTheEventsOfAQueueThatIsFoundLater() throws Exception {
        List<String> names = new CopyOnWriteArrayList<>();
        QueueEvents made = new QueueEvents(
                queue -> {
                    names.add(queue);
                    return events;
                },
                TimeSource.system());
        SenderEvents missing = made.of("later");
        assertThat(made.ofFound("later")).isSameAs(missing);
        assertThat(made.of("later")).isSameAs(missing);
        assertThat(names).containsExactly("later");
    }

    @Test
    void messagesToAClosedTemplateAreCountedAsRefused() throws Exception {
        BatchSqsTemplate template = template(sqs, queue -> events);
        Progress.get(template.send("q", "text"));
        template.close();
        assertThat(failureOf(template.send("q", "text")).code()).isEqualTo(SendFailedException.CLOSED);
        assertThat(events.ofMessages()).containsExactly("buffered", "sent", "refused Closed");
    }

    @Test
    void aMessageOfManyWhoseThreadIsInterruptedMeanwhileIsCountedAndObserved() throws Exception {
        List<String> observed = new CopyOnWriteArrayList<>();
        BatchSqsTemplate template = template(sqs, queue -> events, (message, queue) -> {
            Thread.currentThread().interrupt();
            return ended(observed);
        });
        CompletableFuture<SendResults> results = new CompletableFuture<>();
        Thread thread = Thread.ofVirtual().start(() -> {
            try {
                results.complete(template.sendAll("q", List.of("text")));
            } catch (InterruptedException e) {
                results.completeExceptionally(e);
            }
        });
        assertThat(Progress.get(results).failed())
                .singleElement()
                .satisfies(each -> assertThat(each.cause().code()).isEqualTo(SendFailedException.INTERRUPTED));
        Progress.join(thread);
        assertThat(events.ofMessages()).containsExactly("refused Interrupted");
        assertThat(observed).hasSize(1);
        assertThat(template.bufferedBytes()).isZero();
    }

    private static SendObserver.Sending ended(List<String> observed) {
        return new SendObserver.Sending() {
            @Override
            public void ended(@Nullable SendResult result, @Nullable Throwable failure) {
                observed.add("ended");
            }
        };
    }

    private BatchSqsTemplate template(QueueClient client, Function<String, SenderEvents> events) {
        return template(client, events, SendObserver.NONE);
    }

    private BatchSqsTemplate template(
            QueueClient client, Function<String, SenderEvents> events, SendObserver observer) {
        return template(
                SenderOptions.builder().deliveryTimeout(Duration.ofSeconds(20)).build(),
                resources(client, sqs, events, observer, SendBinding.NONE, TimeSource.system(), null));
    }

    /** Every one of them fails. */
    private static final class Throwing implements SenderEvents {

        @Override
        public void on(SenderEvent event) {
            throw new StackOverflowError("by a test's wish");
        }
    }
}
