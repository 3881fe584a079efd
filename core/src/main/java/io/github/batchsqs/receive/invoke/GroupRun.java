/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.invoke;

import io.github.batchsqs.receive.delivery.Delivery;
import io.github.batchsqs.receive.delivery.Settlement;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Runs single messages of a group one after another, each an invocation of its own. Each is settled as soon as it has run,
 * but the next does not wait until SQS has accepted the delete: without that, each message would wait a round trip and a
 * linger for the one before.
 *
 * <p>A group run ends when a message does not pass, when the next message is no longer ours, when the listener stops, or
 * when it has lasted {@code fifo.run-length}. No message starts later than that; the running message always finishes, so a
 * message that takes longer is the last of its group run. Messages that the group run did not reach have not run.
 *
 * <p>Safe for use by any thread.
 */
public final class GroupRun {

    private static final Settlement NOT_RUN = new Settlement.NotRun();

    private final Function<List<Delivery>, List<Settlement>> invoker;
    private final Predicate<Delivery> ours;
    private final long length;
    private final TimeSource time;
    private volatile boolean ended;

    /**
     * Creates group runs of a length.
     *
     * @param invoker runs one message, returns its settlement, and does not throw
     * @param ours whether a message may start here, now that those ahead of it have run
     * @param length how long a group run may last
     */
    public GroupRun(
            Function<List<Delivery>, List<Settlement>> invoker,
            Predicate<Delivery> ours,
            Duration length,
            TimeSource time) {
        this.invoker = invoker;
        this.ours = ours;
        this.length = length.toNanos();
        this.time = time;
    }

    /** Runs messages of one group on the calling thread; {@code settle} gets them in order, each once. */
    public void run(List<Delivery> messages, BiConsumer<List<Delivery>, List<Settlement>> settle) {
        long until = time.nanos() + length;
        int last = messages.size() - 1;
        for (int i = 0; ; i++) {
            List<Delivery> one = messages.subList(i, i + 1);
            List<Settlement> settlement = invoker.apply(one);
            if (i == last || !settlement.getFirst().passed() || !mayStart(i + 1, messages, until)) {
                settle.accept(messages.subList(i, messages.size()), upTo(settlement.getFirst(), last - i));
                return;
            }
            settle.accept(one, settlement);
        }
    }

    private boolean mayStart(int next, List<Delivery> messages, long until) {
        long now = time.nanos();
        if (ended || until - now <= 0 || !ours.test(messages.get(next))) {
            return false;
        }
        for (Delivery ahead : messages.subList(0, next)) {
            if (!ahead.untracked() && ahead.leaseLost(now)) {
                return false; // others may receive it, and would run it after this one
            }
        }
        return true;
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
