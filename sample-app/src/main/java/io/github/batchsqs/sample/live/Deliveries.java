/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.live;

import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.listener.BatchInterceptor;
import io.github.batchsqs.sample.live.Recent.Delay;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Sees each batch before its handler does: how old its messages are, and how many of them were received before. */
@Component
class Deliveries implements BatchInterceptor {

    private static final double MEDIAN = 0.5;
    private static final double P99 = 0.99;

    private final Map<String, Seen> queues = new ConcurrentHashMap<>();

    /** The delays of the messages of a batch, in milliseconds. */
    private record Started(long nanos, List<Double> delays) {}

    private record Seen(Deque<Started> started, LongAdder retries) {}

    @Override
    public void before(MessageBatch<?> batch) {
        Instant now = Instant.now();
        Seen seen = seen(batch.queue());
        List<Double> delays = new ArrayList<>(batch.size());
        for (SqsMessage<?> message : batch) {
            delays.add(
                    (double) Math.max(0, Duration.between(message.sentAt(), now).toMillis()));
            if (message.receiveCount() > 1) {
                seen.retries().increment();
            }
        }
        seen.started().addLast(new Started(System.nanoTime(), delays));
    }

    /** Returns how many messages of a queue were received before. */
    long retries(String queue) {
        return seen(queue).retries().sum();
    }

    /** Returns the delay of the messages since a moment, and forgets older ones; {@code null} if there were none. */
    @Nullable
    Delay since(String queue, long nanos) {
        Deque<Started> started = seen(queue).started();
        started.removeIf(each -> each.nanos() - nanos < 0);
        double[] delays = started.stream()
                .flatMap(each -> each.delays().stream())
                .mapToDouble(Double::doubleValue)
                .sorted()
                .toArray();
        return delays.length == 0 ? null : new Delay(percentile(delays, MEDIAN), percentile(delays, P99));
    }

    private static double percentile(double[] sorted, double share) {
        return sorted[(int) Math.ceil(share * sorted.length) - 1];
    }

    private Seen seen(String queue) {
        return queues.computeIfAbsent(queue, unused -> new Seen(new ConcurrentLinkedDeque<>(), new LongAdder()));
    }
}
