/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueNotFoundException;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.send.SendResults;
import io.github.batchsqs.send.SenderOptions;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Look-ups that fail, with queues in memory. */
class QueueLookUpsTests extends TemplateFixture {

    private static final Duration DELIVERY_TIMEOUT = Duration.ofMinutes(2);

    private final SettableTime time = new SettableTime();
    private final CountDownLatch asked = new CountDownLatch(1);
    private final SenderOptions options = SenderOptions.builder()
            .linger(Duration.ZERO)
            .deliveryTimeout(DELIVERY_TIMEOUT)
            .build();

    @Test
    void manyMessagesToAQueueThatIsNotFoundWaitOnceForAllOfThem() throws Exception {
        sqs.faults(Faults.before(Operation.RESOLVE, call -> {
            if (call.number() <= 3) {
                clock.skip(Duration.ofSeconds(50));
                throw call.connectionFailed();
            }
        }));
        try (var template = template(withMaxBlock(Duration.ofMinutes(5)), clock)) {
            SendResults results = template.sendAll(List.of(
                    OutgoingMessage.of("away", "1"),
                    OutgoingMessage.of("away", "2"),
                    OutgoingMessage.of("q", "3"),
                    OutgoingMessage.of("away", "4")));
            assertThat(results.successful()).hasSize(1);
            assertThat(results.failed()).hasSize(3).allSatisfy(each -> {
                assertThat(each.cause().code()).isEqualTo(SendFailedException.QUEUE_UNAVAILABLE);
                assertThat(each.cause().retryable()).isTrue();
            });
        }
        assertThat(sqs.calls(Operation.RESOLVE)).isEqualTo(4);
    }

    @Test
    void looksUpAMissingQueueOnceASecondAndLogsItOnceAMinute() {
        try (LogCapture logs = LogCapture.warnings();
                var template = template(options, time)) {
            for (int i = 0; i < 100; i++) {
                SendFailedException failure = failureOf(template.send("missing", "text"));
                assertThat(failure)
                        .hasMessageContainingAll("'missing' was not found", "at most once per 1s")
                        .hasCauseInstanceOf(QueueNotFoundException.class);
                assertThat(failure.code()).isEqualTo(SendFailedException.QUEUE_UNAVAILABLE);
                assertThat(failure.retryable()).isFalse();
            }
            assertThat(sqs.calls(Operation.RESOLVE)).isEqualTo(1);
            for (int second = 1; second <= 59; second++) {
                time.advance(Duration.ofSeconds(1));
                SendFailedException ignored = failureOf(template.send("missing", "text"));
            }
            assertThat(sqs.calls(Operation.RESOLVE)).isEqualTo(60);
            assertThat(logs.event()).contains("'missing'").doesNotContain("tried again");

            Queue created = sqs.createQueue("missing");
            time.advance(Duration.ofSeconds(1));
            assertThat(Progress.done(template.send("missing", "text"))).isCompleted();
            assertThat(sqs.visible(created)).hasSize(1);
            assertThat(logs.events()).hasSize(1);
        }
    }

    @Test
    void blocksASendNoLongerThanMaxBlockAndGoesOnLookingUp() throws Exception {
        CountDownLatch mayRespond = new CountDownLatch(1);
        hangUntil(mayRespond);
        try (var template = template(withMaxBlock(Duration.ofMillis(50)), TimeSource.system())) {
            SendFailedException failure = failureOf(template.send("q", "text"));
            assertUnavailable(failure);
            assertThat(template.sendAll("q", List.of("1", "2", "3")).failed())
                    .hasSize(3)
                    .allSatisfy(each -> assertUnavailable(each.cause()));
            assertThatThrownBy(() -> template.sendAndWait("q", "text"))
                    .isInstanceOfSatisfying(SendFailedException.class, this::assertUnavailable);

            mayRespond.countDown();
            Progress.until(() -> template.send("q", "text")
                    .handle((result, error) -> error == null)
                    .join());
        }
        assertThat(sqs.calls(Operation.RESOLVE)).isEqualTo(1);
    }

    private void assertUnavailable(SendFailedException failure) {
        assertThat(failure.code()).isEqualTo(SendFailedException.QUEUE_UNAVAILABLE);
        assertThat(failure.retryable()).isTrue();
        assertThat(failure.delivery()).isEqualTo(SendFailedException.Delivery.NOT_SENT);
        assertThat(failure).hasMessageContainingAll("'q'", "within max-block (50ms", "raise max-block");
    }

    private void hangUntil(CountDownLatch mayRespond) {
        sqs.faults(Faults.before(Operation.RESOLVE, call -> {
            asked.countDown();
            mayRespond.await();
        }));
    }

    private SenderOptions withMaxBlock(Duration maxBlock) {
        return options.toBuilder()
                .buffer(new SenderOptions.Buffer(options.buffer().bytes(), maxBlock))
                .build();
    }

    private BatchSqsTemplate template(SenderOptions with, TimeSource time) {
        return template(with, resources(sqs, SendBinding.NONE, time));
    }
}
