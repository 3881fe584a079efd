/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class InFlightLimitTests {

    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final InFlightLimit limit = new InFlightLimit(10);

    @Test
    void lendsThePermitsOfWhatWaitsUpToTheLimitOnceMore() {
        InFlightLimit lending = new InFlightLimit(10);
        assertThat(lending.tryAcquire(10)).isEqualTo(10);
        lending.lend(4, 0);
        assertThat(lending.lendMore(3, 30)).isEqualTo(30);
        assertThat(lending.tryAcquire(10)).isEqualTo(7);
        lending.lend(40, 0);
        assertThat(lending.tryAcquire(10)).isEqualTo(3);
        lending.lend(0, 0);
        assertThat(lending.lendMore(-3, -30)).isEqualTo(-30);
        assertThat(lending.tryAcquire(10)).isZero();
        lending.release(11);
        assertThat(lending.tryAcquire(10)).isEqualTo(1);
    }

    @Test
    void lendsThePermitsOfAllThatWaitsWhenTheLimitHasFallen() {
        InFlightLimit lending = new InFlightLimit(100);
        lending.setMax(100);
        assertThat(lending.tryAcquire(80)).isEqualTo(80);
        lending.lend(80, 0);
        lending.setLimit(10);
        assertThat(lending.tryAcquire(20)).isEqualTo(10);
        lending.lend(110, 0); // more than the limit can ever be
        assertThat(lending.tryAcquire(30)).isEqualTo(20);
    }

    @Test
    void reportsALimitThatIsNeverBelowTheUse() {
        assertThat(limit.use()).isEqualTo(new InFlightLimit.Use(0, 10));
        limit.tryAcquire(8);
        limit.setLimit(5);
        assertThat(limit.use()).isEqualTo(new InFlightLimit.Use(8, 8));
        limit.release(6);
        assertThat(limit.use()).isEqualTo(new InFlightLimit.Use(2, 5));
    }

    @Test
    void givesNoMoreThanThereIs() {
        assertThat(limit.tryAcquire(7)).isEqualTo(7);
        assertThat(limit.available()).isEqualTo(3);
        assertThat(limit.tryAcquire(7)).isEqualTo(3);
        assertThat(limit.tryAcquire(7)).isZero();
        assertThat(limit.used()).isEqualTo(10);
    }

    @Test
    void aPollerThatFindsNoneWaitsForOne() throws Exception {
        limit.tryAcquire(10);
        FutureTask<Integer> poller = start(() -> limit.acquire(10));

        limit.release(10);

        assertThat(Progress.get(poller)).isEqualTo(10);
    }

    @Test
    void aPollerThatFindsSomeTakesThemAfterALittleWait() throws Exception {
        limit.tryAcquire(6);
        assertThat(limit.acquire(10)).isEqualTo(4);
    }

    @Test
    void aWaitingPollerIsInterrupted() {
        limit.tryAcquire(10);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> limit.acquire(1)).isInstanceOf(InterruptedException.class);
        assertThat(limit.used()).isEqualTo(10);
    }

    @Test
    void aLimitBelowWhatIsWantedIsEnough() throws Exception {
        limit.setLimit(3);
        assertThat(limit.acquire(10)).isEqualTo(3);
    }

    @Test
    void aHigherLimitWakesWaitingPollers() throws Exception {
        limit.tryAcquire(10);
        FutureTask<Integer> poller = start(() -> limit.acquire(5));

        limit.setLimit(15);

        assertThat(Progress.get(poller)).isEqualTo(5);
    }

    @Test
    void aLowerLimitIsReachedAsPermitsComeBack() {
        limit.tryAcquire(10);
        limit.setLimit(4);
        assertThat(limit.available()).isEqualTo(-6);
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

    private static FutureTask<Integer> start(Callable<Integer> call) {
        FutureTask<Integer> task = new FutureTask<>(call);
        Thread.ofVirtual().start(task);
        return task;
    }
}
