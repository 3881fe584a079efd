/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.testkit.Progress;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MessageMemoryTests {

    private static final int MANY = 1_000_000;
    private static final long MIB = 1 << 20;
    private static final long LARGE = MIB / 2;

    private final MessageMemory memory = new MessageMemory(16 * MIB);
    private final List<String> exhausted = new CopyOnWriteArrayList<>();
    private final InFlightLimit limit = limit("first");

    @Test
    void smallMessagesFindMemoryAsLongAsThereArePermits() {
        receive(limit, 10, 10, 1_000);
        for (int i = 0; i < 200; i++) {
            assertThat(limit.tryAcquire(10)).isEqualTo(10);
        }
        assertThat(limit.memoryFits(2_000)).isTrue();
    }

    @Test
    void requestsNoMoreBeforeTheFirstMessageThanFitsIfEachIsTheLargest() {
        assertThat(limit.tryAcquire(10)).isEqualTo(10);
        assertThat(limit.tryAcquire(10)).isEqualTo(6);
        assertThat(limit.tryAcquire(10)).isZero();
        assertThat(memory.taken()).isLessThan(MIB);

        limit.settleReceive(10, 10, 10_000);

        assertThat(limit.tryAcquire(10)).isEqualTo(10);
    }

    @Test
    void anEmptyResponseLeavesTheSizeUnknown() {
        assertThat(limit.tryAcquire(10)).isEqualTo(10);
        limit.settleReceive(10, 0, 0);
        assertThat(memory.taken()).isZero();
        assertThat(limit.tryAcquire(MANY)).isEqualTo(16);
    }

    @Test
    void aRequestedMessageCountsTwiceItsLikelySizeAndAReceivedOneOnce() {
        receive(limit, 10, 8, 8 * LARGE);
        assertThat(memory.taken()).isEqualTo(8 * LARGE).isEqualTo(limit.heldBytes());

        assertThat(limit.tryAcquire(10)).isEqualTo(10);
        assertThat(memory.taken()).isEqualTo(8 * LARGE + 20 * LARGE);
        assertThat(limit.tryAcquire(10)).isEqualTo(2);
        assertThat(limit.tryAcquire(10)).isZero();
        assertThat(memory.taken()).isEqualTo(memory.max());

        limit.release(2); // of a receive that failed
        limit.settleReceive(10, 10, 10 * LARGE);
        assertThat(memory.taken()).isEqualTo(18 * LARGE);
        limit.releaseReceived(18, 18 * LARGE);
        assertThat(memory.taken()).isZero();
        assertThat(limit.used()).isZero();
    }

    @Test
    void largerMessagesThanExpectedCountAtOnceForOpenReceivesToo() {
        receive(limit, 10, 10, 10_000);
        assertThat(limit.tryAcquire(10)).isEqualTo(10);
        assertThat(limit.tryAcquire(10)).isEqualTo(10);

        limit.settleReceive(10, 10, 10 * LARGE);

        assertThat(memory.taken()).isEqualTo(10_000 + 10 * LARGE + 20 * LARGE);
        assertThat(limit.tryAcquire(10)).isEqualTo(0);
    }

    @Test
    void smallerMessagesLowerTheLikelySizeBySteps() {
        receive(limit, 10, 10, 10 * LARGE);
        limit.releaseReceived(10, 10 * LARGE);
        int most = 0;
        for (int i = 0; i < 60; i++) {
            int before = most;
            most = limit.tryAcquire(MANY);
            assertThat(most).isGreaterThanOrEqualTo(before);
            limit.settleReceive(most, 1, 1_000);
            limit.releaseReceived(1, 1_000);
        }
        assertThat(most).isBetween(500, 1_000);
    }

    @Test
    void aListenerThatHoldsNothingMayAlwaysRequestOneMessage() {
        receive(limit, 10, 10, 40 * LARGE);
        assertThat(memory.taken()).isGreaterThan(memory.max());
        assertThat(limit.available()).isZero();
        InFlightLimit second = limit("second");

        assertThat(second.available()).isEqualTo(1);
        assertThat(second.tryAcquire(10)).isEqualTo(1);
        assertThat(second.tryAcquire(10)).isZero();
        second.settleReceive(1, 1, 4 * LARGE); // its part
        assertThat(second.tryAcquire(10)).isZero();
        second.releaseReceived(1, 4 * LARGE);
        assertThat(second.tryAcquire(10)).isEqualTo(1);
    }

    @Test
    void aListenerWhoseMessagesExceedItsPartRequestsOneMoreUntilThePartIsUsedUp() {
        receive(limit, 10, 10, 40 * LARGE);
        InFlightLimit second = limit("second");
        receive(second, 1, 1, 2 * LARGE); // of a part of 4; a requested one counts twice

        assertThat(second.available()).isEqualTo(1);
        receive(second, 1, 1, 2 * LARGE);

        assertThat(second.tryAcquire(10)).isZero();
        assertThat(limit.tryAcquire(10)).as("its part is used up, too").isZero();
    }

    @Test
    void aListenerOfSmallMessagesHasItsPartWhileAnotherHoldsEverything() {
        InFlightLimit second = limit("second");
        receive(second, 1, 1, 1_000);
        receive(limit, 10, 10, 40 * LARGE);
        int requested = 0;
        for (int i = 0; i < 100; i++) {
            assertThat(second.tryAcquire(10)).isEqualTo(10);
            requested += 10;
        }
        assertThat(second.tryAcquire(MANY)).isEqualTo((2 * MIB - 1_000) / 2_000 - requested);
    }

    @Test
    void thePartsOfManyListenersStayWithinTheMemory() {
        List<InFlightLimit> many =
                IntStream.range(0, 100).mapToObj(i -> limit("listener " + i)).toList();
        many.forEach(each -> receive(each, 1, 1, 1_000));
        many.forEach(each -> each.tryAcquire(MANY));
        assertThat(memory.taken()).isBetween(memory.max() * 3 / 4, memory.max());
        many.forEach(each -> assertThat(each.used()).isGreaterThan(10));
    }

    @Test
    void theEndOfOthersLeavesAllToTheRest() {
        InFlightLimit second = limit("second");
        receive(second, 10, 10, 10 * LARGE);
        receive(limit, 1, 1, 1_000);
        assertThat(limit.tryAcquire(MANY)).isLessThanOrEqualTo((int) (9 * MIB / 2_000));
        second.close();
        second.close();
        limit.tryAcquire(MANY);
        assertThat(memory.taken()).isGreaterThan(memory.max() - 2_000);
    }

    @Test
    void listenersThatStartTogetherRequestNoMoreThanFitsAndOneEach() {
        List<InFlightLimit> many =
                IntStream.range(0, 40).mapToObj(i -> limit("listener " + i)).toList();
        many.forEach(each -> each.tryAcquire(10));
        assertThat(many).allMatch(each -> each.used() > 0);
        assertThat(many.stream().mapToInt(InFlightLimit::used).sum()).isEqualTo(16 + 38);

        many.get(0).settleReceive(10, 10, 1_000); // small ones
        many.get(2).settleReceive(1, 0, 0);

        assertThat(many.get(2).tryAcquire(20)).as("what the first has released").isPositive();
    }

    @Test
    void aListenerThatStartsWhileTheMemoryIsTakenRequestsOneMessage() {
        receive(limit, 10, 10, 28 * LARGE);
        assertThat(limit("second").tryAcquire(10)).isEqualTo(2);
        assertThat(limit("third").tryAcquire(10)).isEqualTo(1);
    }

    @Test
    void idleListenersLeaveTheMemoryToOthers() {
        InFlightLimit second = limit("second");
        receive(second, 1, 1, LARGE);
        receive(limit, 1, 1, LARGE);
        second.releaseReceived(1, LARGE);
        receive(second, 10, 0, 0);

        assertThat(second.tryAcquire(10)).as("after an empty response").isEqualTo(2);
        assertThat(second.tryAcquire(10)).isZero();
        second.settleReceive(2, 1, LARGE);
        assertThat(second.tryAcquire(10)).as("after a message").isEqualTo(10);
    }

    @Test
    void aPollerThatWaitsWhileOthersAreIdleGoesOnAfterAMessage() throws Exception {
        InFlightLimit second = limit("second");
        receive(second, 1, 1, LARGE);
        receive(limit, 1, 1, LARGE);
        second.releaseReceived(1, LARGE);
        receive(second, 1, 0, 0);
        assertThat(second.acquire(10)).isEqualTo(2);
        FutureTask<Integer> poller = start(() -> second.acquire(10));
        Progress.until(second::waitsForMemory);

        second.settleReceive(2, 2, 2 * LARGE);

        assertThat(Progress.get(poller)).isEqualTo(10);
    }

    @Test
    void whatWaitsForARetryIsNotPartOfAListenersPart() {
        InFlightLimit second = limit("second");
        receive(second, 1, 1, LARGE);
        receive(second, 3, 3, 3 * LARGE);
        receive(limit, 10, 10, 40 * LARGE);
        assertThat(second.tryAcquire(10)).isZero();

        second.lend(4, 4 * LARGE);

        assertThat(memory.waitingForRetry()).isEqualTo(4 * LARGE);
        assertThat(memory.maxWaitingForRetry())
                .as("while as much is requested again")
                .isEqualTo(8 * MIB);
        assertThat(second.tryAcquire(10)).isEqualTo(2);
        second.close();
        second.lend(3, 3 * LARGE);
        assertThat(second.takeToWait(MIB)).isTrue();
        assertThat(memory.waitingForRetry()).isZero();
        limit.releaseReceived(10, 40 * LARGE);
        receive(limit, 4, 4, 60 * LARGE);
        assertThat(memory.maxWaitingForRetry()).as("while too much is taken").isZero();
    }

    @Test
    void whatWaitsForADeadLetterQueueIsNotPartOfAListenersPartEither() {
        InFlightLimit second = limit("second");
        receive(second, 1, 1, LARGE);
        receive(second, 3, 3, 3 * LARGE);
        receive(limit, 10, 10, 40 * LARGE);
        assertThat(second.tryAcquire(10)).isZero();

        assertThat(second.lendMore(4, 4 * LARGE)).isEqualTo(4 * LARGE);

        assertThat(second.available()).isEqualTo(2);
        assertThat(second.lendMore(1, 8 * MIB))
                .as("more than half of the memory would wait")
                .isZero();
        assertThat(second.lendMore(-4, -4 * LARGE)).isEqualTo(-4 * LARGE);
        assertThat(second.available()).isZero();
        assertThat(second.lendMore(1, LARGE)).isEqualTo(LARGE);
        second.close();
        assertThat(second.lendMore(-1, -LARGE)).isZero();
        assertThat(memory.waitingForRetry()).isZero();
    }

    @Test
    void roomToWaitIsTakenOnceAlsoBeforeTheMessagesWait() {
        InFlightLimit second = limit("second");
        assertThat(limit.takeToWait(5 * MIB)).isTrue();
        assertThat(second.takeToWait(4 * MIB)).isFalse();
        assertThat(second.takeToWait(3 * MIB)).isTrue();
        limit.lend(1, 5 * MIB);
        second.lend(0, 0); // its messages do not wait after all
        assertThat(memory.waitingForRetry()).isEqualTo(5 * MIB);
        assertThat(second.takeToWait(3 * MIB)).isTrue();
    }

    @Test
    void aPollerGoesOnWhenMoreBytesWaitForARetry() throws Exception {
        InFlightLimit second = limit("second");
        receive(second, 1, 1, LARGE);
        receive(second, 3, 3, 3 * LARGE);
        receive(limit, 10, 10, 40 * LARGE);
        second.lend(1, LARGE / 8); // too little for another message
        receive(second, 1, 1, LARGE);
        FutureTask<Integer> poller = start(() -> second.acquire(10));
        Progress.until(() -> second.exhausted() && second.waitsForMemory());

        second.lend(1, 4 * LARGE); // another group, of as many messages

        assertThat(Progress.get(poller)).isPositive();
    }

    @Test
    void onlyTheMessagesOfAListenerThatHaveItsShareAreItsOwnFault() {
        InFlightLimit second = limit("second");
        receive(second, 1, 1, LARGE);
        receive(second, 3, 3, 3 * LARGE);
        assertThat(second.full()).isEqualTo(InFlightLimit.Full.NOTHING);

        receive(limit, 10, 10, 40 * LARGE);

        assertThat(second.available()).isZero();
        assertThat(second.full()).isEqualTo(InFlightLimit.Full.NOTHING);
        assertThat(limit.full()).isEqualTo(InFlightLimit.Full.MEMORY);
        limit.setLimit(10);
        assertThat(limit.full()).isEqualTo(InFlightLimit.Full.PERMITS);
    }

    @Test
    void oneOfTheListenersWhoseMessagesLeaveNoRoomIsToldSo() {
        InFlightLimit second = limit("second");
        receive(limit, 1, 1, LARGE);
        receive(limit, 10, 10, 13 * LARGE);
        receive(second, 1, 1, LARGE);
        receive(second, 6, 6, 13 * LARGE);

        assertThat(limit.available()).isZero();
        assertThat(second.available()).isZero();
        assertThat(List.of(limit.full(), second.full())).contains(InFlightLimit.Full.MEMORY);
    }

    @Test
    void messagesThatNeverFitAreReceivedOneByOne() {
        MessageMemory tiny = new MessageMemory(1);
        InFlightLimit one = new InFlightLimit(MANY, tiny, () -> {});
        receive(one, 1, 1, LARGE);
        one.releaseReceived(1, LARGE);
        assertThat(one.memoryFits(1)).isTrue();
        assertThat(one.memoryFits(2)).isFalse();
        assertThat(one.tryAcquire(10)).isEqualTo(1);
    }

    @Test
    void aPollerWaitsUntilAnotherListenerReleasesMemory() throws Exception {
        InFlightLimit second = limit("second");
        receive(second, 1, 1, LARGE);
        receive(second, 3, 3, 3 * LARGE);
        receive(limit, 10, 10, 40 * LARGE);
        FutureTask<Integer> poller = start(() -> second.acquire(10));
        Progress.until(second::waitsForMemory);
        assertThat(limit.waitsForMemory()).isFalse();

        limit.releaseReceived(10, 40 * LARGE);

        assertThat(Progress.get(poller)).isEqualTo(10);
        assertThat(second.waitsForMemory()).isFalse();
    }

    @Test
    void aPollerTakesWhatFitsAfterALittleWait() throws Exception {
        receive(limit, 10, 10, 20 * LARGE);
        assertThat(limit.acquire(10)).isEqualTo(3); // of 1 MiB, twice, beside 10 MiB
    }

    @Test
    void aPollerThatIsInterruptedWaitsForMemoryNoMore() throws Exception {
        receive(limit, 10, 10, 40 * LARGE);
        FutureTask<Integer> poller = new FutureTask<>(() -> limit.acquire(10));
        Thread thread = Thread.ofVirtual().start(poller);
        Progress.until(limit::waitsForMemory);
        thread.interrupt();
        Progress.join(thread);
        assertThat(limit.waitsForMemory()).isFalse();
        assertThat(limit.used()).isEqualTo(10);
    }

    @Test
    void memoryIsExhaustedWhenNothingIsReceivedAndNothingCanBe() throws Exception {
        receive(limit, 10, 10, 30 * LARGE);
        assertThat(limit.tryAcquire(10)).isZero();
        assertThat(limit.exhausted()).isFalse();

        FutureTask<Integer> poller = start(() -> limit.acquire(10));
        Progress.until(limit::exhausted);
        Progress.until(() -> List.copyOf(exhausted), List.of("first"));
        limit.releaseReceived(10, 30 * LARGE);

        assertThat(Progress.get(poller)).isPositive();
        assertThat(limit.exhausted()).isFalse();
    }

    @Test
    void memoryIsNotExhaustedWhileAReceiveIsOpen() throws Exception {
        receive(limit, 10, 10, 10 * LARGE);
        assertThat(limit.tryAcquire(MANY)).isEqualTo(11);
        FutureTask<Integer> poller = start(() -> limit.acquire(10));
        Progress.until(limit::waitsForMemory);
        assertThat(limit.exhausted()).isFalse();

        limit.settleReceive(11, 11, 22 * LARGE); // larger than expected: nothing more fits

        Progress.until(limit::exhausted);
        Progress.until(() -> List.copyOf(exhausted), List.of("first"));
        limit.releaseReceived(21, 32 * LARGE);
        assertThat(Progress.get(poller)).isPositive();
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

    private InFlightLimit limit(String name) {
        return new InFlightLimit(MANY, memory, () -> exhausted.add(name));
    }

    private static void receive(InFlightLimit by, int asked, int kept, long bytes) {
        assertThat(by.tryAcquire(asked)).isEqualTo(asked);
        by.settleReceive(asked, kept, bytes);
    }

    private static FutureTask<Integer> start(Callable<Integer> call) {
        FutureTask<Integer> task = new FutureTask<>(call);
        Thread.ofVirtual().start(task);
        return task;
    }
}
