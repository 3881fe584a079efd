/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.invoke;

import io.github.batchsqs.TimeSource;
import io.github.batchsqs.receive.fetch.Delivery;
import io.github.batchsqs.receive.fetch.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Runs single messages of a lane in turns: one after another, each an invocation of its own, and all that passed are deleted
 * together. Without it each message would wait for the delete of the one before, a round trip and a linger long.
 *
 * <p>A turn ends with the message that does not pass, or when it has lasted as long as deletes linger: no message starts
 * later than that, but the one that runs then is waited for, however long it takes. A message that takes longer than the
 * linger is the last of its turn. What the turn did not reach has not run.
 *
 * <p>Safe for use by any thread.
 */
public final class Turns {

    /** The most messages of a turn: what one receive brings, and one call deletes. */
    public static final int MOST = 10;

    private static final Settlement NOT_RUN = new Settlement.NotRun();

    private final Function<List<Delivery>, List<Settlement>> invoker;
    private final long length;
    private final TimeSource time;
    private volatile boolean ended;

    /** Hands messages one by one to the invoker, which answers with a settlement for each and does not throw. */
    public Turns(Function<List<Delivery>, List<Settlement>> invoker, Duration length, TimeSource time) {
        this.invoker = invoker;
        this.length = length.toNanos();
        this.time = time;
    }

    /** Runs a turn, on the calling thread; answers with a settlement for each delivery, in order. */
    public List<Settlement> invoke(List<Delivery> turn) {
        List<Settlement> settlements = new ArrayList<>(turn.size());
        long until = time.nanos() + length;
        settlements.addAll(invoker.apply(turn.subList(0, 1)));
        for (Delivery delivery : turn.subList(1, turn.size())) {
            boolean goesOn = settlements.getLast().passed() && !ended && until - time.nanos() > 0;
            settlements.add(goesOn ? invoker.apply(List.of(delivery)).getFirst() : NOT_RUN);
        }
        return settlements;
    }

    /** From now on, turns end with the message that runs. */
    public void end() {
        ended = true;
    }
}
