/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MessageMemoryTests {

    private static final int MANY = 1_000_000;
    private static final long MIB = 1 << 20;
    private static final long LARGE = MIB / 2;

    private final MessageMemory memory = new MessageMemory(16 * MIB);
    private final InFlightLimit limit = new InFlightLimit(MANY, memory);
    private final InFlightLimit second = new InFlightLimit(MANY, memory);

    @Test
    void smallMessagesFindMemoryAsLongAsThereArePermits() {
        receive(limit, 10, 10, 1_000);
        for (int i = 0; i < 200; i++) {
            assertThat(limit.tryAcquire(10)).isEqualTo(10);
        }
        assertThat(limit.mostInMemory()).isGreaterThanOrEqualTo(2_000);
    }

    @Test
    void receivesOfAnEmptyQueueTakeNoMemory() {
        receive(limit, 10, 10, 20 * LARGE);
        limit.releaseReceived(10, 20 * LARGE);
        receive(limit, 1, 0, 0);
        assertThat(limit.tryAcquire(10)).isEqualTo(8);
        assertThat(second.tryAcquire(10)).isEqualTo(10);
        assertThat(memory.taken()).isZero();
    }

    @Test
    void requestsNoMoreBeforeTheFirstMessageThanFitsIfEachIsTheLargest() {
        receive(second, 10, 10, 11 * MIB);
        assertThat(limit.tryAcquire(10)).isEqualTo(5);
    }

    @Test
    void aRequestedMessageCountsTwiceItsLikelySizeAndAReceivedOneOnce() {
        receive(limit, 10, 8, 8 * LARGE);
        assertThat(memory.taken()).isEqualTo(8 * LARGE).isEqualTo(limit.heldBytes());

        assertThat(limit.tryAcquire(10)).isEqualTo(10);
        assertThat(memory.taken()).isEqualTo(8 * LARGE + 20 * LARGE);
        assertThat(limit.tryAcquire(10)).isEqualTo(2);
        assertThat(limit.tryAcquire(10)).isZero();
    }

    @Test
    void theLikelySizeRisesAtOnceAndFallsSlowly() {
        receive(limit, 1, 1, 16_000);
        limit.releaseReceived(1, 16_000);
        receive(limit, 1, 1, 0);
        assertThat(limit.tryAcquire(1)).isEqualTo(1);
        assertThat(memory.taken()).isBetween(2 * 15_000L, 2 * 15_002L);
    }

    @Test
    void aListenerThatHoldsNothingMayAlwaysReceiveASixteenthOfTheMemory() {
        receive(second, 10, 10, 10_000);
        receive(limit, 1, 1, 40 * MIB);
        assertThat(second.tryAcquire(10)).isZero();

        second.releaseReceived(10, 10_000);

        assertThat(second.enough(10)).isEqualTo(10);
        assertThat(second.tryAcquire(10)).isEqualTo(10);
        assertThat(second.tryAcquire(10)).as("one receive at a time").isZero();
    }

    @Test
    void messagesThatNeverFitAreReceivedOneByOne() {
        InFlightLimit one = new InFlightLimit(MANY, new MessageMemory(1));
        receive(one, 1, 1, LARGE);
        assertThat(one.tryAcquire(10)).isZero();
        one.releaseReceived(1, LARGE);
        assertThat(one.mostInMemory()).isOne();
        assertThat(one.tryAcquire(10)).isEqualTo(1);
        assertThat(one.tryAcquire(10)).isZero();
    }

    @Test
    void notifiesAListenerThatFoundNoneWhenAnotherReleasesMemory() {
        AtomicInteger freed = new AtomicInteger();
        second.onFreed(freed::incrementAndGet);
        receive(second, 1, 1, LARGE);
        freed.set(0);
        receive(limit, 10, 10, 40 * LARGE);
        limit.releaseReceived(1, LARGE);
        assertThat(freed).as("it has not looked yet").hasValue(0);
        assertThat(second.room(10)).isZero();

        limit.releaseReceived(9, 39 * LARGE);

        assertThat(freed).hasValue(1);
        assertThat(second.tryAcquire(10)).isEqualTo(10);
        limit.releaseReceived(0, 0);
        assertThat(freed).as("it found some").hasValue(1);
    }

    @Test
    void memoryIsExhaustedWhenNothingIsReceivedAndNothingCanBe() {
        receive(limit, 10, 10, 10 * LARGE);
        assertThat(limit.tryAcquire(MANY)).isEqualTo(11);
        assertThat(limit.becomesExhausted()).as("a receive is open").isFalse();

        limit.settleReceive(11, 11, 22 * LARGE); // larger than expected: nothing more fits

        assertThat(limit.becomesExhausted()).isTrue();
        assertThat(limit.becomesExhausted()).as("no news").isFalse();
        assertThat(limit.exhausted()).isTrue();
        limit.releaseReceived(21, 32 * LARGE);
        assertThat(limit.tryAcquire(1)).isEqualTo(1);
        assertThat(limit.exhausted()).isFalse();
    }

    @Test
    void theEndOfAListenerReleasesWhatItHoldsOnce() {
        receive(limit, 10, 10, 10 * LARGE);
        assertThat(limit.tryAcquire(5)).isEqualTo(5);

        limit.close();
        assertThat(memory.taken()).isZero();

        limit.releaseReceived(10, 10 * LARGE); // of a handler that ended late
        limit.release(5);
        assertThat(memory.taken()).isZero();
    }

    private static void receive(InFlightLimit by, int asked, int kept, long bytes) {
        assertThat(by.tryAcquire(asked)).isEqualTo(asked);
        by.settleReceive(asked, kept, bytes);
    }
}
