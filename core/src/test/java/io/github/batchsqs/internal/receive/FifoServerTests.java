/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static io.github.batchsqs.internal.receive.TestQueue.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.SqsMessage;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * FIFO queues on a real server. Order means: the messages of a group, listed as often as and when their handling
 * succeeded, are in the order in which they were sent.
 */
@Isolated("they need the processors")
class FifoServerTests {

    private static final int GROUPS = 100;
    private static final int EACH = 100;
    private static final int FEW = 30;

    /** ElasticMQ lets an open poll wait although a delete has set the next messages of a group free. */
    private static final Duration ONE_SECOND = Duration.ofSeconds(1);

    private final GroupOrder order = new GroupOrder();

    @Test
    void aHundredGroupsAreDrainedInOrderWithAtMostTwentyFiveCallsPerHundredMessages() throws Exception {
        try (TestQueue queue = TestQueue.fifo()) {
            queue.sendGroups(GROUPS, EACH);
            queue.listen(options -> options.waitTime(Duration.ofSeconds(20)), BatchListener.of(batch -> {
                assertThat(groups(batch)).hasSize(1);
                order.succeeded(batch.messages());
            }));

            eventually(() -> assertThat(queue.events.acknowledged.get()).isEqualTo(GROUPS * EACH));

            int calls = queue.events.receives() + queue.events.deletes() + queue.events.visibilityChanges();
            assertThat(calls).isLessThanOrEqualTo(GROUPS * EACH * 25 / 100);
            order.assertEachGroupInOrderOnce(GROUPS, EACH);
            queue.eventuallyEmpty();
        }
    }

    @Test
    void withFiveOfAHundredMessagesFailingNoGroupLosesItsOrder() throws Exception {
        try (TestQueue queue = TestQueue.fifo()) {
            queue.sendGroups(GROUPS, FEW);
            queue.listen(options -> options.pollers(1, 32).waitTime(ONE_SECOND), this::failSome);

            eventually(() -> assertThat(order.messages()).isEqualTo(GROUPS * FEW));

            queue.eventuallyEmpty();
            assertOrderAfterFailures(GROUPS, FEW);
            assertThat(queue.failures).isNotEmpty();
        }
    }

    /** Handles the batch in order up to the first message that fails; a quarter of the failures fail the whole batch. */
    private BatchOutcome failSome(MessageBatch<String> batch) {
        for (int i = 0; i < batch.size(); i++) {
            int dice = ThreadLocalRandom.current().nextInt(80);
            if (dice == 0) {
                throw new TestQueue.Refused("the whole batch");
            }
            if (dice < 4) {
                List<SqsMessage<String>> done = batch.messages().subList(0, i);
                order.succeeded(done);
                return BatchOutcome.perMessage()
                        .done(done)
                        .retry(batch.messages().get(i), Duration.ZERO)
                        .othersDone() // nothing of the group passes behind a failure, whatever is said of it
                        .build();
            }
        }
        order.succeeded(batch.messages());
        return BatchOutcome.done();
    }

    private void assertOrderAfterFailures(int groups, int each) {
        if (TestQueue.keepsOrderOfWhatIsGivenBack()) {
            order.assertEachGroupInOrderOnce(groups, each);
        } else {
            order.assertEachOnce(groups, each);
        }
    }

    private static Set<String> groups(MessageBatch<String> batch) {
        Set<String> groups = new HashSet<>();
        batch.forEach(message -> groups.add(String.valueOf(message.groupId())));
        return groups;
    }
}
