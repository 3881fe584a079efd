/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.testkit.Progress;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FeedTests {

    private static final long LONG = 3_600_000;

    private final AtomicLong put = new AtomicLong();
    private final Queue<Integer> rates = new ConcurrentLinkedQueue<>();

    @Test
    void lastsUntilItIsEnded() throws Exception {
        Feed feed = Feed.start(this::put, at -> 400, LONG);
        Progress.until(() -> put.get() >= 300);

        assertThat(feed.end()).isEqualTo(put.get()).isGreaterThanOrEqualTo(300);
        assertThat(rates).containsOnly(400);
    }

    @Test
    void followsTheRateAndEndsByItself() throws Exception {
        Feed feed = Feed.start(this::put, at -> at == 0 ? 40 : 80, 500);

        assertThat(feed.messages()).isEqualTo(10 + 20);
        assertThat(rates).containsExactly(40, 80);
    }

    @Test
    void saysThatMessagesCouldNotBePutIn() {
        Feed feed = Feed.start(
                (perSecond, messages) -> {
                    throw new IOException("no SQS");
                },
                at -> 40,
                LONG);

        assertThatThrownBy(feed::messages).isInstanceOf(IOException.class).hasRootCauseMessage("no SQS");
    }

    private void put(int perSecond, long messages) {
        rates.add(perSecond);
        put.addAndGet(messages);
    }
}
