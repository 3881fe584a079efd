/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.listener.ReceiveGate;
import io.github.batchsqs.model.time.Rewriter;
import io.github.batchsqs.model.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The time of a gate, which is that of the system. */
class ReceiveGateTimeTests {

    private static final long SECOND = 1_000_000_000L;

    @BeforeAll
    static void rewrite() {
        Rewriter.install("io.github.batchsqs");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void evaluatesItsConditionOnceASecondAlsoWhenItFails(boolean fails) {
        VirtualTime time = new VirtualTime();
        List<Long> evaluated = new ArrayList<>();
        List<String> failures = new ArrayList<>();
        ReceiveGate gate = ReceiveGate.when(
                () -> {
                    evaluated.add(time.nanos());
                    if (fails) {
                        throw new IllegalStateException("no pool");
                    }
                    return true;
                },
                "maintenance");
        for (int i = 0; i < 30; i++) {
            VirtualTime.Event ignored =
                    time.at(i * SECOND / 10, () -> time.start("poller", () -> failures.addAll(failure(gate))));
        }
        time.runUntil(10 * SECOND);
        assertThat(evaluated).containsExactly(0L, SECOND, 2 * SECOND);
        assertThat(failures).hasSize(fails ? 30 : 0);
        time.end();
    }

    private static List<String> failure(ReceiveGate gate) {
        try {
            return gate.check("orders").equals(ReceiveGate.Permission.go()) ? List.of() : List.of("closed");
        } catch (InterruptedException | IllegalStateException e) {
            return List.of(e.toString());
        }
    }
}
