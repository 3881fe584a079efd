/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.SqsMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** A FIFO queue on a real server. */
@Isolated("they need the processors")
class FifoServerTests {

    private static final int GROUPS = 100;
    private static final int EACH = 100;

    @Test
    void aHundredGroupsAreDrainedInOrderWithAtMostTwentyFiveCallsPerHundredMessages() throws Exception {
        Map<String, List<String>> handled = new ConcurrentHashMap<>();
        try (TestQueue queue = new TestQueue(TestQueue.QUEUES.fifo())) {
            queue.sendGroups(GROUPS, EACH);
            queue.listen(options -> options.waitTime(Duration.ofSeconds(20)), BatchListener.of(batch -> {
                assertThat(batch.messages().stream().map(SqsMessage::groupId).distinct())
                        .hasSize(1);
                handled.computeIfAbsent(batch.messages().getFirst().groupId(), group -> new CopyOnWriteArrayList<>())
                        .addAll(batch.payloads());
            }));

            queue.eventuallyAcknowledged(GROUPS * EACH);

            assertThat(queue.calls()).isLessThanOrEqualTo(GROUPS * EACH * 25 / 100);
            assertThat(handled)
                    .hasSize(GROUPS)
                    .allSatisfy((group, payloads) -> assertThat(payloads)
                            .isEqualTo(IntStream.range(0, EACH)
                                    .mapToObj(i -> group + ":" + i)
                                    .toList()));
            queue.eventuallyEmpty();
        }
    }
}
