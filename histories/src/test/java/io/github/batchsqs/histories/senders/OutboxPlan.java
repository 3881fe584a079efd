/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.senders;

import io.github.batchsqs.histories.senders.SenderPlan.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What a seed makes of a history of a fleet whose transactions send through the outbox.
 *
 * @param stopSeconds the shutdown timeout
 * @param lookUpSeconds how long SQS takes to find the queue
 */
record OutboxPlan(long seed, boolean fifo, int instances, int stopSeconds, int lookUpSeconds, List<Step> steps) {

    private static final long SECOND = 1_000_000_000L;

    /** What is done to an instance. */
    enum Deed {
        /** Its host does nothing any more; its sessions end after a while. */
        KILL,
        STOP,
        /** Another process takes its place. */
        START,
        /** Its statements do not return for a while. */
        HANG,
        /** It does not reach the database for a while. */
        VANISH,
        /** A commit succeeds, and its response is lost. */
        LOSE_COMMIT
    }

    /** One thing that happens. */
    sealed interface Step {}

    /**
     * A transaction sends messages, each to a group.
     *
     * @param think how long it lasts before it ends
     * @param commit how long its commit takes
     * @param later how long after the beginning its messages are to be delivered, or 0
     */
    record Transaction(
            long at, int instance, String name, List<String> groups, long think, long commit, boolean ends, long later)
            implements Step {}

    /** The attempt of that number goes wrong. */
    record AttemptFault(int number, Fault fault) implements Step {}

    /** Something is done to an instance. */
    record Act(long at, int instance, Deed deed, long length) implements Step {}

    OutboxPlan with(List<Step> some) {
        return new OutboxPlan(seed, fifo, instances, stopSeconds, lookUpSeconds, some);
    }

    /** Whether nothing goes wrong. */
    boolean calm() {
        return lookUpSeconds == 0 && steps.stream().allMatch(Transaction.class::isInstance);
    }

    static OutboxPlan of(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        boolean fifo = random.nextInt(3) > 0;
        int instances = 1 + random.nextInt(4);
        List<Step> steps = new ArrayList<>();
        boolean forLong = random.nextInt(4) == 0; // so that looks begin behind rows of a later time
        int count = forLong ? 60 : 1 + random.nextInt(25);
        int groups = 1 + random.nextInt(3);
        boolean disturbed = random.nextInt(3) > 0;
        long span = (forLong ? 40 : 1 + random.nextInt(6)) * SECOND;
        for (int i = 0; i < count; i++) {
            List<String> to = new ArrayList<>();
            int messages = 1 + random.nextInt(random.nextInt(4) == 0 ? 30 : 4);
            for (int j = 0; j < messages; j++) {
                to.add("g" + random.nextInt(groups));
            }
            long think = random.nextInt(3) == 0 ? random.nextLong(3 * SECOND) : random.nextLong(SECOND / 20);
            long later = random.nextInt(forLong ? 3 : 8) == 0 ? random.nextLong((forLong ? 30 : 15) * SECOND) : 0;
            steps.add(new Transaction(
                    random.nextLong(span),
                    random.nextInt(instances),
                    "t" + i,
                    to,
                    think,
                    !disturbed && random.nextInt(8) == 0 ? random.nextLong(30 * SECOND) : 0,
                    random.nextInt(5) > 0,
                    later));
        }
        if (random.nextInt(3) > 0) {
            int faults = random.nextInt(8);
            Fault[] all = Fault.values();
            for (int i = 0; i < faults; i++) {
                steps.add(
                        forLong // a whole call fails, so that its rows wait
                                ? new AttemptFault(10 + random.nextInt(40), Fault.DENIED)
                                : new AttemptFault(1 + random.nextInt(15), all[random.nextInt(all.length)]));
            }
        }
        if (disturbed) {
            int acts = 1 + random.nextInt(4);
            Deed[] all = Deed.values();
            for (int i = 0; i < acts; i++) {
                int instance = random.nextInt(instances);
                long at = random.nextLong(span);
                Deed deed = all[random.nextInt(all.length)];
                steps.add(
                        new Act(at, instance, deed, random.nextLong(random.nextBoolean() ? 3 * SECOND : 12 * SECOND)));
                if (deed == Deed.KILL || deed == Deed.STOP) {
                    steps.add(new Act(at + random.nextLong(10 * SECOND), instance, Deed.START, 0));
                }
            }
        }
        int lookUp = random.nextInt(4) == 0 ? random.nextInt(8) : 0;
        return new OutboxPlan(seed, fifo, instances, 1 + random.nextInt(10), lookUp, steps);
    }

    /** {@return the time after which nothing goes wrong any more, but the attempts that are still to go wrong} */
    long peace() {
        long last = 0;
        for (Step step : steps) {
            last = Math.max(
                    last,
                    switch (step) {
                        case Act act -> act.at();
                        case Transaction some -> some.at() + some.commit();
                        case AttemptFault fault -> 0;
                    });
        }
        return last + 4 * SECOND;
    }

    /** {@return the message group, or {@code null} on a standard queue} */
    @Nullable
    String group(String planned) {
        return fifo ? planned : null;
    }
}
