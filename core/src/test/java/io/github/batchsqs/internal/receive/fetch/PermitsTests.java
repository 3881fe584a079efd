/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.internal.receive.delivery.InFlightLimit;
import io.github.batchsqs.internal.receive.delivery.MessageMemory;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PermitsTests {

    private static final int LIMIT = 20;
    private static final int ASKS = 10;

    private final Poller poller = Fetchers.poller(new ReentrantLock());
    private final InFlightLimit limit = new InFlightLimit(LIMIT, MessageMemory.unlimited());
    private final Permits permits = new Permits(limit);

    @BeforeEach
    void takeAllPermits() {
        assertThat(limit.tryAcquire(LIMIT)).isEqualTo(LIMIT);
    }

    @Test
    void theFirstPermitEndsTheWaitForAny() {
        Closed waitsFor = permits.closed(poller, ASKS, 0);
        assertThat(waitsFor).isNotNull();
        limit.release(1);
        assertThat(permits.closed(poller, ASKS, 0)).isNotNull().isNotEqualTo(waitsFor);
    }

    @Test
    void whoWaitsForAFullReceiveHasTheSameAnswerUntilThereIsRoomForOne() {
        limit.release(1);
        Closed waitsFor = permits.closed(poller, ASKS, 0);
        assertThat(waitsFor).extracting(Closed::reason).isEqualTo("permits");
        limit.release(ASKS - 2);
        assertThat(permits.closed(poller, ASKS, 0)).isNotNull().isEqualTo(waitsFor);
        limit.release(1);
        assertThat(permits.closed(poller, ASKS, 0)).isNull();
    }
}
