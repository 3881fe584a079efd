/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.internal.batch.Batcher;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.Operation;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages that return to the queue. */
class SettlerReturnsTests extends SettlerFixture {

    @Test
    void logsAReturnThatFailsForManyTogetherInOneLineWithTheIdsOfTen() throws Exception {
        List<Delivery> batch = standard.receive(numbered(25));
        standard.settler.returnToQueue(batch);
        try (LogCapture log = LogCapture.warnings()) {
            standard.settler.batchers().forEach(Batcher::close);
            String line = log.event("could not be returned to the queue");
            assertThat(line).contains(": 25 messages (", ", …)");
            assertThat(batch.stream().map(delivery -> delivery.message().id()).filter(line::contains))
                    .hasSize(10);
        }
        assertThat(standard.limit.used()).isZero();
    }

    @Test
    void namesTheOneMessageWhoseReturnFails() throws Exception {
        List<Delivery> batch = standard.receive("a");
        standard.settler.returnToQueue(batch);
        try (LogCapture log = LogCapture.warnings()) {
            standard.settler.batchers().forEach(Batcher::close);
            assertThat(log.event("could not be returned to the queue"))
                    .contains(": message " + batch.getFirst().message().id() + " of ");
        }
    }

    @Test
    void retriesARefusedReturnUntilTheLeaseEnds() throws Exception {
        List<Delivery> batch = standard.receive("a");
        standard.fail(Operation.CHANGE_VISIBILITY);
        standard.settler.returnToQueue(batch);
        standard.pass(Duration.ofSeconds(10));
        assertThat(standard.limit.used()).isEqualTo(1);
        standard.pass(SettleBench.LEASE);
        assertThat(standard.limit.used()).isZero();
        assertThat(standard.visible()).containsExactly("a");
    }

    @Test
    void untrackingFreesThePermitAtOnceWithoutACall() throws Exception {
        settle(standard, standard.receive("a"), LEAVE);
        assertThat(standard.limit.used()).isZero();
        assertThat(standard.inFlight()).containsExactly("a");
        assertThat(standard.server.calls(Operation.CHANGE_VISIBILITY)).isZero();
    }
}
