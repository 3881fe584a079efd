/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.send.SendResult;
import io.github.batchsqs.send.SenderOptions;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What the template does with messages when it flushes and when it closes. */
class TemplateCloseTests extends TemplateFixture {

    @Test
    void flushesWhatLingers() throws Exception {
        BatchSqsTemplate slow = template(options -> options.linger(Duration.ofSeconds(10)));
        var future = slow.send("q", "text");
        assertThat(future).isNotDone();
        Progress.get(slow.flush());
        assertThat(future).isCompleted();
    }

    @Test
    void reportsWhatIsKnownOfTheMessagesThatItFailsWhenItCloses() {
        seam.close();
        BatchSqsTemplate narrow = template(options -> options.maxInFlight(1));
        var inFlight = narrow.send("q", "in flight");
        seam.awaitCalls(1);
        var waiting = narrow.send("q", "waiting");
        var inOrder = template(options -> options).send(inGroup("ordered").build());
        seam.awaitCalls(1);
        templates.forEach(each -> each.close(Duration.ofMillis(50)));

        SendFailedException unknown = failureOf(inFlight);
        assertThat(unknown.code()).isEqualTo(SendFailedException.CLOSED);
        assertThat(unknown.delivery()).isEqualTo(SendFailedException.Delivery.UNKNOWN);
        assertThat(unknown).hasMessageContaining("may have been accepted").hasMessageContaining("delivered twice");
        assertThat(unknown).hasMessageContaining("before a response").hasMessageNotContaining("before it was sent");
        assertThat(failureOf(inOrder)).hasMessageContaining("same deduplication id within five minutes");
        SendFailedException notSent = failureOf(waiting);
        assertThat(notSent.delivery()).isEqualTo(SendFailedException.Delivery.NOT_SENT);
        assertThat(notSent).hasMessageContaining("was not sent (Closed)");
    }

    /** A machine that stalls for the last second before the deadline gets another try. */
    @Test
    void waitsForTheResponsesOfCallsInFlightBeforeTheDeadlineOfItsClose() throws Exception {
        Duration timeout = Duration.ofSeconds(5);
        boolean beforeTheDeadline = false;
        while (!beforeTheDeadline) {
            seam.close();
            BatchSqsTemplate narrow = template(options -> options.maxInFlight(1));
            var inFlight = narrow.send("q", "in flight");
            seam.awaitCalls(1);
            var waiting = narrow.send("q", "waiting");
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                long closedAt = System.nanoTime();
                var closing = threads.submit(() -> narrow.close(timeout));
                assertThat(failureOf(waiting).delivery()).isEqualTo(SendFailedException.Delivery.NOT_SENT);
                seam.open(); // its response comes after the last call began
                var done = Progress.done(inFlight);
                beforeTheDeadline = System.nanoTime() - closedAt < timeout.toNanos();
                if (beforeTheDeadline) {
                    assertThat(done).isCompleted();
                }
                Progress.get(closing);
            }
        }
    }

    @Test
    void refusesAThreadThatWaitsForRoomWhenItCloses() throws Exception {
        seam.close();
        BatchSqsTemplate tight =
                template(options -> options.buffer(new SenderOptions.Buffer(1 << 20, Duration.ofSeconds(20))));
        var first = tight.send("q", LARGEST);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<SendResult> second = threads.submit((Callable<SendResult>) () -> tight.sendAndWait("q", LARGEST));
            tight.close(Duration.ofMillis(50));
            assertThat(failureOf(second).code()).isEqualTo(SendFailedException.CLOSED);
        }
        assertThat(failureOf(first).code()).isEqualTo(SendFailedException.CLOSED);
    }
}
