/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.listener.ReceiveGate;
import io.github.batchsqs.listener.ReceiveGate.Permission;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

class HealthGatesTests {

    private final SettableTime time = new SettableTime();
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicReference<Status> status = new AtomicReference<>(Status.UP);
    private final ReceiveGate gate = HealthGates.whenHealthy(
            () -> {
                asked.incrementAndGet();
                return Health.status(status.get()).build();
            },
            time);

    @Test
    void oneCheckASecondServesAllWhoAsk() throws Exception {
        assertThat(gate.check("orders")).isEqualTo(Permission.go());
        status.set(Status.DOWN);
        assertThat(gate.check("receipts")).isEqualTo(Permission.go());
        assertThat(asked).hasValue(1);
        passASecond();
        assertThat(gate.check("orders")).isEqualTo(Permission.waitFor(Duration.ofSeconds(5), "the health is DOWN"));
        assertThat(asked).hasValue(2);
    }

    @Test
    void onlyWhatTheActuatorTakesForUnhealthyClosesTheGate() throws Exception {
        status.set(Status.OUT_OF_SERVICE);
        assertThat(gate.check("orders")).isInstanceOf(ReceiveGate.Wait.class);
        passASecond();
        status.set(Status.UNKNOWN);
        assertThat(gate.check("orders")).isEqualTo(Permission.go());
        passASecond();
        status.set(new Status("DEGRADED"));
        assertThat(gate.check("orders")).isEqualTo(Permission.go());
    }

    @Test
    void anIndicatorThatThrowsIsAskedOnceASecondToo() {
        ReceiveGate broken = HealthGates.whenHealthy(
                () -> {
                    asked.incrementAndGet();
                    throw new IllegalStateException("no pool");
                },
                time);
        assertThatThrownBy(() -> broken.check("orders")).hasMessage("no pool");
        assertThatThrownBy(() -> broken.check("orders")).hasMessage("no pool");
        assertThat(asked).hasValue(1);
    }

    private void passASecond() {
        time.advance(Duration.ofSeconds(1));
    }
}
