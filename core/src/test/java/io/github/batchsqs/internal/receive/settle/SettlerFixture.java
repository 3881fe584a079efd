/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;

/** A settler on a standard queue and one on a FIFO queue in memory; no message is lost and no call breaks a rule of SQS. */
abstract class SettlerFixture {

    static final Settlement DELETE = new Settlement.Delete();
    static final Settlement LEAVE = new Settlement.Untrack();
    static final Settlement NOT_RUN = new Settlement.NotRun(false);
    static final Settlement MANUAL = new Settlement.Manual();

    final IllegalStateException cause = new IllegalStateException("no such customer");
    final SettleBench standard = new SettleBench(false, true);
    final SettleBench fifo = new SettleBench(true, true);

    @AfterEach
    void noCallBrokeARule() {
        standard.server.assertNoMisuse();
        standard.server.assertNothingLost();
        fifo.server.assertNoMisuse();
        fifo.server.assertNothingLost();
    }

    static void settle(SettleBench bench, List<Delivery> batch, Settlement... settlements) {
        bench.settle(batch, List.of(settlements));
    }

    /** A heartbeat, whose calls are answered. */
    static void beat(SettleBench bench) {
        bench.extender.tick();
        CompletableFuture<Void> ignored = bench.beginFlush();
        bench.runCalls();
    }

    static String[] numbered(int count) {
        return IntStream.range(0, count).mapToObj(i -> "m" + i).toArray(String[]::new);
    }
}
