/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.testkit.Deliveries;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class InFlightLimitTests {

    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final InFlightLimit limit = new InFlightLimit(10, MessageMemory.unlimited());

    @Test
    void givesNoMoreThanThereIs() {
        assertThat(limit.tryAcquire(7)).isEqualTo(7);
        assertThat(limit.tryAcquire(7)).isEqualTo(3);
        assertThat(limit.tryAcquire(7)).isZero();
        assertThat(limit.used()).isEqualTo(10);
    }

    @Test
    void aLowerLimitIsReachedAsPermitsComeBack() {
        limit.tryAcquire(10);
        limit.setLimit(4, 4);
        limit.release(5);
        assertThat(limit.tryAcquire(1)).isZero();
        limit.release(2);
        assertThat(limit.tryAcquire(5)).isEqualTo(1);
    }

    @Test
    void aReceiveKeepsThePermitsOfWhatItBrought() {
        limit.tryAcquire(10);
        limit.settleReceive(10, 4, 0);
        assertThat(limit.used()).isEqualTo(4);
        limit.settleReceive(0, 3, 0);
        assertThat(limit.used()).isEqualTo(7);
    }

    @Test
    void morePermitsThanWereTakenCannotComeBack() {
        limit.tryAcquire(2);
        assertThatThrownBy(() -> limit.release(3))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("3 permits returned, but only 2 were taken");
    }

    @Test
    void tellsHowManyAreStillTakenWhenTheTimeIsUp() throws Exception {
        limit.tryAcquire(4);
        assertThat(limit.awaitUnused(0)).isEqualTo(4);
        FutureTask<Integer> stop = start(() -> limit.awaitUnused(MINUTE));
        limit.release(4);
        assertThat(Progress.get(stop)).isZero();
    }

    @Test
    void aLimitBelowTheWantedNumberIsEnough() {
        limit.setLimit(3, 3);
        assertThat(limit.enough(10)).isEqualTo(3);
        assertThat(limit.room(10)).isEqualTo(3);
    }

    @Test
    void aLoneGroupMayAlwaysWaitForItsRetry() {
        List<Delivery> group =
                Deliveries.fifo(Duration.ofSeconds(30), TimeSource.system()).receive(6);
        assertThat(limit.mayWait(0, 0, group)).isTrue();
        assertThat(limit.mayWait(1, 0, group)).isFalse();
    }

    @Test
    void notifiesOfPermitsThatReturn() {
        AtomicInteger freed = new AtomicInteger();
        limit.onFreed(freed::incrementAndGet);
        limit.tryAcquire(10);
        assertThat(freed).hasValue(0);
        limit.release(3);
        limit.settleReceive(7, 5, 0);
        limit.releaseReceived(5, 0);
        assertThat(freed).hasValue(3);
    }

    private static FutureTask<Integer> start(Callable<Integer> call) {
        FutureTask<Integer> task = new FutureTask<>(call);
        Thread.ofVirtual().start(task);
        return task;
    }
}
