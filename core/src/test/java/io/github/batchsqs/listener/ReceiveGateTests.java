/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.listener.ReceiveGate.Permission;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReceiveGateTests {

    @Test
    void evaluatesItsConditionOnceForAllWhoWait() throws Exception {
        var asked = new AtomicInteger();
        var open = new CompletableFuture<Boolean>();
        ReceiveGate gate = ReceiveGate.when(
                () -> {
                    asked.incrementAndGet();
                    return open.join();
                },
                "maintenance");
        List<FutureTask<Permission>> checks = Stream.of("orders", "receipts")
                .map(id -> new FutureTask<>(() -> gate.check(id)))
                .toList();
        for (FutureTask<Permission> each : checks) {
            Thread thread = Thread.startVirtualThread(each);
            Progress.until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        }
        open.complete(false);

        for (FutureTask<Permission> each : checks) {
            assertThat(each.get()).isEqualTo(Permission.waitFor(Duration.ofSeconds(1), "maintenance"));
        }
        assertThat(asked).hasValue(1);
    }

    @Test
    void failsAsItsConditionDoes() {
        ReceiveGate gate = ReceiveGate.when(
                () -> {
                    throw new IllegalStateException("no pool");
                },
                "the database is down");
        assertThatThrownBy(() -> gate.check("orders")).hasMessage("no pool");
    }
}
