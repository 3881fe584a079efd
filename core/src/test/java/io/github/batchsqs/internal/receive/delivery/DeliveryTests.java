/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.testkit.Deliveries.Message;
import io.github.batchsqs.testkit.Progress;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DeliveryTests {

    private static final long NOW = -1_000;
    private static final int RACES = 100_000;

    private final Delivery delivery = make();

    @Test
    void aLateAnswerDoesNotEndTheNextHeartbeatAndNeverShortensTheLease() {
        delivery.beginHeartbeat();
        delivery.endHeartbeat(); // its call was given up
        delivery.extended(NOW + 500); // and answered all the same
        assertThat(delivery.unsettled()).isTrue();
        assertThat(delivery.leaseUntil()).isEqualTo(NOW + 500);

        delivery.extended(NOW + 400);
        assertThat(delivery.leaseUntil()).isEqualTo(NOW + 500);
    }

    /** As a server may send them that is not SQS. */
    @Test
    void aReceiveCountAndATimeThatAreNoNumbersAreUnknown() {
        Map<String, String> words = Map.of("ApproximateReceiveCount", "often", "SentTimestamp", "long ago");
        ReceivedMessage message = (ReceivedMessage) Proxy.newProxyInstance(
                ReceivedMessage.class.getClassLoader(),
                new Class<?>[] {ReceivedMessage.class},
                (proxy, method, arguments) -> method.getName().equals("systemAttributes")
                        ? words
                        : InvocationHandler.invokeDefault(proxy, method, arguments));
        assertThat(message.receiveCount()).isEqualTo(1);
        assertThat(message.sentAt()).isAfter(Instant.EPOCH);
    }

    @Test
    void oneHeartbeatAtATime() {
        assertThat(delivery.beginHeartbeat()).isTrue();
        assertThat(delivery.beginHeartbeat()).isFalse();
        delivery.endHeartbeat();
        assertThat(delivery.beginHeartbeat()).isTrue();
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
    void ofTwoThatClaimAtOnceOneDoesAndTheLoserSeesTheFutureOfTheWinner() throws Exception {
        CompletableFuture<Void> one = new CompletableFuture<>();
        CompletableFuture<Void> other = new CompletableFuture<>();
        List<Delivery> contended =
                Stream.generate(DeliveryTests::make).limit(RACES).toList();
        CyclicBarrier start = new CyclicBarrier(2);
        FutureTask<Integer> claims = new FutureTask<>(() -> claims(contended, other, one, start));
        Thread.ofPlatform().daemon().start(claims);
        assertThat(claims(contended, one, other, start) + Progress.get(claims)).isEqualTo(RACES);
    }

    /** Claims what another thread claims at the same time; returns how many claims were the first. */
    @SuppressWarnings("ReferenceEquality") // whose future it is
    private static int claims(
            List<Delivery> contended, CompletableFuture<Void> mine, CompletableFuture<Void> others, CyclicBarrier start)
            throws Exception {
        start.await();
        int claims = 0;
        for (Delivery delivery : contended) {
            boolean first = delivery.claim(mine);
            claims += first ? 1 : 0;
            if (delivery.manualSettlement() != (first ? mine : others)) {
                throw new AssertionError("sees " + delivery.manualSettlement() + ", but was first: " + first);
            }
        }
        return claims;
    }

    private static Delivery make() {
        Delivery delivery = new Delivery(new Message("a", 1), null, NOW, 0, new LongAdder());
        delivery.leased(NOW + 100, NOW + 100);
        return delivery;
    }
}
