/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import io.github.batchsqs.testkit.Deliveries;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class GroupRunTests {

    private static final Settlement DELETE = new Settlement.Delete();
    private static final Settlement RELEASE = new Settlement.Release(Duration.ofSeconds(1));
    private static final Settlement NOT_RUN = new Settlement.NotRun();

    private final SettableTime time = new SettableTime();
    private final List<Delivery> messages =
            Deliveries.fifo(Duration.ofSeconds(30), time).receive("a-1", "a-2", "a-3");
    private final List<List<String>> runs = new ArrayList<>();
    private final List<Settlement> settled = new ArrayList<>();
    private final Set<String> notOurs = new HashSet<>();
    private LostGroups groups = group -> false;

    @Test
    void eachMessageIsAnInvocationOfItsOwn() {
        run(groupRun(body -> DELETE), messages);
        assertThat(settled).containsExactly(DELETE, DELETE, DELETE);
        assertThat(runs).containsExactly(List.of("a-1"), List.of("a-2"), List.of("a-3"));
    }

    @Test
    void aMessageIsSettledBeforeTheNextStarts() {
        List<Integer> settledBefore = new ArrayList<>();
        run(
                groupRun(body -> {
                    settledBefore.add(settled.size());
                    return DELETE;
                }),
                messages);
        assertThat(settledBefore).containsExactly(0, 1, 2);
    }

    @Test
    void nothingRunsBehindAMessageThatDidNotPass() {
        run(groupRun(body -> body.equals("a-2") ? RELEASE : DELETE), messages);
        assertThat(settled).containsExactly(DELETE, RELEASE, NOT_RUN);
        assertThat(runs).containsExactly(List.of("a-1"), List.of("a-2"));
    }

    @Test
    void aMessageThatIsNoLongerOursDoesNotStart() {
        run(
                groupRun(body -> {
                    notOurs.add("a-2");
                    return DELETE;
                }),
                messages);
        assertThat(settled).containsExactly(DELETE, NOT_RUN, NOT_RUN);
        assertThat(runs).containsExactly(List.of("a-1"));
    }

    @Test
    void nothingStartsBehindALostLease() {
        run(
                groupRun(body -> {
                    messages.getFirst().loseLease(); // before its delete is accepted
                    return DELETE;
                }),
                messages);
        assertThat(settled).containsExactly(DELETE, NOT_RUN, NOT_RUN);
        assertThat(runs).containsExactly(List.of("a-1"));
    }

    @Test
    void anInvocationKnowsOfALeaseAheadThatIsLostWhileItsInterceptorsRun() {
        List<Boolean> lost = new ArrayList<>();
        run(
                groupRun(body -> {
                    if (body.equals("a-2")) {
                        lost.add(groups.lost("a"));
                        messages.getFirst().loseLease(); // before its delete is accepted
                    }
                    lost.add(groups.lost("a"));
                    return DELETE;
                }),
                messages);
        assertThat(lost).containsExactly(false, false, true);
        assertThat(runs).containsExactly(List.of("a-1"), List.of("a-2"));
    }

    @Test
    void nothingStartsAfterTheRunHasLastedItsTime() {
        GroupRun groupRun = groupRun(body -> {
            time.advance(GroupRun.LENGTH.dividedBy(2));
            return DELETE;
        });
        run(groupRun, messages);
        assertThat(settled).containsExactly(DELETE, DELETE, NOT_RUN);
        run(groupRun, messages.subList(2, 3));
        assertThat(settled).containsExactly(DELETE, DELETE, NOT_RUN, DELETE);
    }

    @Test
    void aMessageRunsHoweverLongTheRunIsOver() {
        run(
                groupRun(body -> {
                    time.advance(GroupRun.LENGTH.multipliedBy(10));
                    return DELETE;
                }),
                messages);
        assertThat(settled).containsExactly(DELETE, NOT_RUN, NOT_RUN);
    }

    @Test
    void endedItFinishesTheMessageThatRuns() {
        List<GroupRun> self = new ArrayList<>();
        self.add(groupRun(body -> {
            self.getFirst().end();
            return DELETE;
        }));
        run(self.getFirst(), messages);
        assertThat(settled).containsExactly(DELETE, NOT_RUN, NOT_RUN);
    }

    private void run(GroupRun groupRun, List<Delivery> group) {
        groupRun.run(group, new InvocationSettlement() {
            @Override
            public void settle(List<Delivery> deliveries, List<Settlement> settlements) {
                assertThat(settlements).hasSameSizeAs(deliveries);
                settled.addAll(settlements);
            }

            @Override
            public boolean lost(String group) {
                return false;
            }
        });
    }

    private GroupRun groupRun(Function<String, Settlement> handler) {
        return new GroupRun(
                (batch, lostGroups) -> {
                    groups = lostGroups;
                    List<String> bodies = Deliveries.bodies(batch);
                    runs.add(bodies);
                    return bodies.stream().map(handler).toList();
                },
                delivery -> !notOurs.contains(delivery.message().body()),
                time);
    }
}
