/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * Runs single messages of a group one after another, each an invocation of its own. Each is settled as soon as it has run,
 * but the next does not wait until SQS has accepted the delete: without that, each message would wait a round trip and a
 * linger for the one before.
 *
 * <p>A group run ends when a message does not pass, when the next message is no longer ours, when the listener stops, or
 * when it has lasted {@link #LENGTH}. No message starts later than that; the running message always finishes, so a
 * message that takes longer is the last of its group run. Messages that the group run did not reach have not run.
 *
 * <p>Safe for use by any thread.
 */
public final class GroupRun {

    /** As long as deletes wait for one another: the group costs no more calls, and another instance gets it soon after a stop. */
    static final Duration LENGTH = Duration.ofMillis(50);

    private static final Settlement NOT_RUN = new Settlement.NotRun();

    private final BiFunction<List<Delivery>, LostGroups, List<Settlement>> invoker;
    private final Predicate<Delivery> ours;
    private final TimeSource time;
    private volatile boolean ended;

    /**
     * Creates group runs.
     *
     * @param invoker runs one message unless its group is lost, returns its settlement, and does not throw
     * @param ours whether a message may start here, now that those ahead of it have run
     */
    public GroupRun(
            BiFunction<List<Delivery>, LostGroups, List<Settlement>> invoker,
            Predicate<Delivery> ours,
            TimeSource time) {
        this.invoker = invoker;
        this.ours = ours;
        this.time = time;
    }

    /** Runs messages of one group on the calling thread; {@code next} gets them in order, each once. */
    public void run(List<Delivery> messages, InvocationSettlement next) {
        long until = time.nanos() + LENGTH.toNanos();
        int last = messages.size() - 1;
        Ahead ahead = new Ahead(messages, next);
        for (int i = 0; ; i++) {
            List<Delivery> one = last == 0 ? messages : messages.subList(i, i + 1);
            List<Settlement> settlement = invoker.apply(one, ahead);
            ahead.count = i + 1;
            if (i == last || !settlement.getFirst().passed() || !mayStart(messages.get(i + 1), ahead, until)) {
                next.settle(messages.subList(i, messages.size()), upTo(settlement.getFirst(), last - i));
                return;
            }
            next.settle(one, settlement);
        }
    }

    private boolean mayStart(Delivery delivery, Ahead ahead, long until) {
        return !ended && until - time.nanos() > 0 && ours.test(delivery) && !ahead.leaseLost();
    }

    /** The messages of a group run that have run, whose deletes SQS may not have accepted yet. */
    private final class Ahead implements LostGroups {

        private final List<Delivery> messages;
        private final InvocationSettlement next;
        private int count;

        Ahead(List<Delivery> messages, InvocationSettlement next) {
            this.messages = messages;
            this.next = next;
        }

        @Override
        public boolean lost(String group) {
            return next.lost(group) || leaseLost();
        }

        /** Returns whether others may receive one of them, and would run it after those behind it. */
        boolean leaseLost() {
            long now = time.nanos();
            for (int i = 0; i < count; i++) {
                if (!messages.get(i).untracked() && messages.get(i).leaseLost(now)) {
                    return true;
                }
            }
            return false;
        }
    }

    private static List<Settlement> upTo(Settlement first, int notRun) {
        List<Settlement> settlements = new ArrayList<>(notRun + 1);
        settlements.add(first);
        for (int i = 0; i < notRun; i++) {
            settlements.add(NOT_RUN);
        }
        return settlements;
    }

    /** From now on, group runs end with the message that runs. */
    public void end() {
        ended = true;
    }
}
