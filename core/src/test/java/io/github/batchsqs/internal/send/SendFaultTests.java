/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.internal.batch.BatchEntry;
import io.github.batchsqs.internal.batch.Batcher;
import io.github.batchsqs.internal.batch.BatcherSettings;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What the delays of a sender's retries come to when responses are lost. */
class SendFaultTests {

    @Test
    void storesAMessageSixTimesAtMostWhenResponsesAreLostForAMinute() {
        SettableTime time = new SettableTime();
        long end = time.nanos() + Duration.ofMinutes(1).toNanos();
        AtomicInteger stored = new AtomicInteger();
        Batcher<String, String> batcher = new Batcher<>(
                new BatcherSettings(Duration.ZERO, 1, QueueSender.RETRY, QueueSender.UNKNOWN_RETRY),
                messages -> {
                    stored.incrementAndGet();
                    if (time.nanos() - end < 0) {
                        throw new QueueCallException("SendMessageBatch", "ConnectionFailed", "reset", true, null);
                    }
                    return List.of(new EntryResult.Accepted<>("1"));
                },
                Runnable::run,
                time,
                new SplittableRandom(1));
        batcher.addAll(List.of(
                new BatchEntry<>("m", 1, null, end + Duration.ofMinutes(2).toNanos())));
        while (batcher.size() > 0) {
            time.advance(Duration.ofMillis(100));
            batcher.tick();
        }
        assertThat(time.nanos() - end)
                .as("accepted, and not given up")
                .isLessThan(Duration.ofMinutes(1).toNanos());
        assertThat(stored.get()).isBetween(2, 6);
    }
}
