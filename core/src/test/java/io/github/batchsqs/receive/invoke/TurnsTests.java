/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.invoke;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.receive.fetch.Delivery;
import io.github.batchsqs.receive.fetch.Settlement;
import io.github.batchsqs.testkit.Deliveries;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class TurnsTests {

    private static final Duration LENGTH = Duration.ofMillis(50);
    private static final Settlement DELETE = new Settlement.Delete();
    private static final Settlement RELEASE = new Settlement.Release(Duration.ofSeconds(1));
    private static final Settlement NOT_RUN = new Settlement.NotRun();

    private final SettableTime time = new SettableTime();
    private final List<Delivery> turn =
            Deliveries.fifo(Duration.ofSeconds(30), time).receive("a-1", "a-2", "a-3");
    private final List<List<String>> runs = new ArrayList<>();

    @Test
    void eachMessageIsAnInvocationOfItsOwn() {
        assertThat(turns(run -> DELETE).invoke(turn)).containsExactly(DELETE, DELETE, DELETE);
        assertThat(runs).containsExactly(List.of("a-1"), List.of("a-2"), List.of("a-3"));
    }

    @Test
    void nothingRunsBehindAMessageThatDidNotPass() {
        assertThat(turns(body -> body.equals("a-2") ? RELEASE : DELETE).invoke(turn))
                .containsExactly(DELETE, RELEASE, NOT_RUN);
        assertThat(runs).containsExactly(List.of("a-1"), List.of("a-2"));
    }

    @Test
    void nothingStartsAfterTheTurnHasLastedItsTime() {
        Turns turns = turns(body -> {
            time.advance(LENGTH.dividedBy(2));
            return DELETE;
        });
        assertThat(turns.invoke(turn)).containsExactly(DELETE, DELETE, NOT_RUN);
        assertThat(turns.invoke(turn.subList(2, 3))).containsExactly(DELETE);
    }

    @Test
    void aMessageRunsHoweverLongTheTurnIsOver() {
        Turns turns = turns(body -> {
            time.advance(LENGTH.multipliedBy(10));
            return DELETE;
        });
        assertThat(turns.invoke(turn)).containsExactly(DELETE, NOT_RUN, NOT_RUN);
    }

    @Test
    void endedItFinishesTheMessageThatRuns() {
        List<Turns> self = new ArrayList<>();
        self.add(turns(body -> {
            self.getFirst().end();
            return DELETE;
        }));
        assertThat(self.getFirst().invoke(turn)).containsExactly(DELETE, NOT_RUN, NOT_RUN);
    }

    private Turns turns(Function<String, Settlement> handler) {
        return new Turns(
                batch -> {
                    List<String> bodies = Deliveries.bodies(batch);
                    runs.add(bodies);
                    return bodies.stream().map(handler).toList();
                },
                LENGTH,
                time);
    }
}
