/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.receive.fetch.Delivery.Grant;
import io.github.batchsqs.testkit.Deliveries.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class DeliveryTests {

    private static final long NOW = -1_000;
    private static final int RACES = 20_000;

    private final Delivery delivery = make();
    private final List<String> done = new ArrayList<>();

    @Test
    void isSettledOnce() {
        assertThat(delivery.unsettled()).isTrue();
        assertThat(delivery.settle(() -> done.add("first"))).isEqualTo(Grant.NOW);
        assertThat(delivery.settle(() -> done.add("second"))).isEqualTo(Grant.TAKEN);
        assertThat(delivery.unsettled()).isFalse();
        assertThat(done).isEmpty();
    }

    @Test
    void aSettledMessageIsNotExtended() {
        delivery.settle(() -> {});
        assertThat(delivery.tryExtend()).isFalse();
    }

    @Test
    void oneHeartbeatAtATime() {
        assertThat(delivery.tryExtend()).isTrue();
        assertThat(delivery.tryExtend()).isFalse();
        delivery.endHeartbeat();
        assertThat(delivery.tryExtend()).isTrue();
    }

    @Test
    void aSettlementDuringAHeartbeatWaitsForIt() {
        delivery.tryExtend();
        assertThat(delivery.unsettled()).isTrue();

        assertThat(delivery.settle(() -> done.add("delete"))).isEqualTo(Grant.LATER);
        assertThat(delivery.unsettled()).isFalse();
        assertThat(delivery.settle(() -> done.add("release"))).isEqualTo(Grant.TAKEN);
        assertThat(done).isEmpty();

        delivery.endHeartbeat();
        assertThat(done).containsExactly("delete");
        assertThat(delivery.tryExtend()).isFalse();
    }

    @Test
    void aLateAnswerDoesNotEndTheNextHeartbeatAndNeverShortensTheLease() {
        delivery.tryExtend();
        delivery.endHeartbeat(); // its call was given up
        delivery.extended(NOW + 500); // and answered all the same
        assertThat(delivery.unsettled()).isTrue();
        assertThat(delivery.leaseUntil()).isEqualTo(NOW + 500);

        delivery.extended(NOW + 400);
        assertThat(delivery.leaseUntil()).isEqualTo(NOW + 500);
    }

    @Test
    void theLeaseIsLostWhenItEndsOrWhenSqsSaysSo() {
        assertThat(delivery.leaseLost(NOW + 99)).isFalse();
        assertThat(delivery.leaseLost(NOW + 100)).isTrue();

        assertThat(delivery.loseLease()).isTrue();
        assertThat(delivery.loseLease()).isFalse();
        assertThat(delivery.leaseLost(NOW)).isTrue();
    }

    @Test
    void aSecondReceiveBringsANewLeaseButTheLossIsNotForgotten() {
        delivery.loseLease();
        assertThat(delivery.refresh("newer", NOW + 900, NOW)).isFalse();
        assertThat(delivery.leaseLost(NOW)).isFalse();
        assertThat(delivery.everLost()).isTrue();
        assertThat(delivery.receiptHandle()).isEqualTo("newer");
    }

    @Test
    void aLeaseThatRanOutUnnoticedIsTold() {
        assertThat(delivery.refresh("newer", NOW + 900, NOW + 100)).isTrue();
        assertThat(delivery.everLost()).isTrue();
    }

    @Test
    void ofTwoThatSettleAtOnceOneDoes() throws Exception {
        for (int i = 0; i < RACES; i++) {
            Delivery contended = make();
            AtomicInteger settled = new AtomicInteger();
            Runnable settle = () -> {
                if (contended.settle(() -> {}) == Grant.NOW) {
                    settled.incrementAndGet();
                }
            };
            race(settle, settle);
            assertThat(settled).hasValue(1);
        }
    }

    @Test
    void aSettlementNeverOverlapsAHeartbeatAndIsNeverForgotten() throws Exception {
        for (int i = 0; i < RACES; i++) {
            Delivery contended = make();
            AtomicBoolean beating = new AtomicBoolean();
            AtomicBoolean overlapped = new AtomicBoolean();
            AtomicInteger settled = new AtomicInteger();
            Runnable settlement = () -> {
                overlapped.compareAndSet(false, beating.get());
                settled.incrementAndGet();
            };
            race(
                    () -> {
                        if (contended.tryExtend()) {
                            beating.set(true);
                            beating.set(false);
                            contended.endHeartbeat();
                        }
                    },
                    () -> {
                        if (contended.settle(settlement) == Grant.NOW) {
                            settlement.run();
                        }
                    });
            assertThat(settled).hasValue(1);
            assertThat(overlapped).isFalse();
        }
    }

    private static void race(Runnable one, Runnable other) throws Exception {
        CyclicBarrier start = new CyclicBarrier(2);
        Thread thread = Thread.ofVirtual().start(() -> {
            await(start);
            one.run();
        });
        await(start);
        other.run();
        thread.join();
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static Delivery make() {
        return new Delivery(new Message("a", 1), null, NOW, NOW + 100, new LongAdder());
    }
}
