/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InvocationLimitTests {

    private static final int MAX = 40;

    private final SettableTime time = new SettableTime();
    private final List<Integer> stages = new ArrayList<>();

    @Test
    void measuresNothingWithAFixedNumber() {
        var limit = limit(8);
        assertThat(limit.isAutomatic()).isFalse();
        limit.refused();
        limit.tick();
        assertThat(limit.limit()).isEqualTo(8);
        assertThat(stages).isEmpty();
    }

    @Test
    void logsThatItFellBelowHalf() {
        var limit = grown();
        time.advance(Duration.ofMinutes(1));
        limit.tick();
        try (LogCapture log = LogCapture.infos()) {
            end(limit, 400, 1);
            assertThat(log.events())
                    .anyMatch(event -> event.contains("Listener listener: the automatic concurrency fell from " + MAX
                            + " to 16 within a minute: 100 % of the messages failed by an overload"));
        }
    }

    @Test
    void fallsWhenTheExecutorRefusesABatch() {
        var limit = limit(ListenerOptions.AUTO_CONCURRENCY);
        limit.refused();
        limit.refused();
        assertThat(stages).containsExactly(8);
    }

    @Test
    void isSwitchedOffByANumber() {
        var limit = limit(ListenerOptions.AUTO_CONCURRENCY);
        limit.change(options(5));
        limit.refused();
        assertThat(limit.limit()).isEqualTo(5);
        limit.change(options(ListenerOptions.AUTO_CONCURRENCY));
        assertThat(limit.limit()).isEqualTo(16);
        limit.refused();
        assertThat(stages).containsExactly(5, 16, 8);
    }

    @Test
    void staysWhenAnotherOptionChanges() {
        var limit = limit(ListenerOptions.AUTO_CONCURRENCY);
        limit.refused();
        limit.change(options(ListenerOptions.AUTO_CONCURRENCY));
        assertThat(limit.limit()).isEqualTo(8);
    }

    /** Invocations of 20 ms, as many at once as permitted. */
    private InvocationLimit grown() {
        var limit = limit(ListenerOptions.AUTO_CONCURRENCY);
        end(limit, 500, 0);
        return limit;
    }

    private void end(InvocationLimit limit, int rounds, int overloads) {
        for (int round = 0; round < rounds && !(overloads > 0 && limit.limit() == 16); round++) {
            long startedAt = time.nanos();
            int invocations = limit.limit();
            time.advance(Duration.ofMillis(20));
            for (int i = 0; i < invocations; i++) {
                limit.ended(1, overloads, overloads, invocations, startedAt);
            }
        }
    }

    private InvocationLimit limit(int concurrency) {
        InvocationLimit[] made = new InvocationLimit[1];
        made[0] = new InvocationLimit(options(concurrency), () -> stages.add(made[0].limit()), time);
        return made[0];
    }

    private static ListenerOptions options(int concurrency) {
        return ListenerOptions.builder("listener", "orders")
                .concurrency(concurrency)
                .concurrencyMax(MAX)
                .build();
    }
}
