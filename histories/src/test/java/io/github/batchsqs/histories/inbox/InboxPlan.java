/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.inbox;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * What a seed makes of a history of listeners with the inbox.
 *
 * @param messages how many there are, all in the first seconds
 * @param lostDeletes the numbers of the deletes that take no effect, of the whole fleet
 * @param duplicates the numbers of the receives of which a message is delivered twice
 * @param failing the messages whose first run throws
 * @param slow the messages whose runs take a while
 */
record InboxPlan(
        long seed,
        boolean fifo,
        int instances,
        int batchSize,
        int concurrency,
        int messages,
        Set<Integer> lostDeletes,
        Set<Integer> duplicates,
        Set<Integer> failing,
        Set<Integer> slow,
        List<Act> acts) {

    private static final long SECOND = 1_000_000_000L;

    /** After this time nothing goes wrong any more. */
    static final long PEACE = 40 * SECOND;

    /** What is done to an instance. */
    enum Deed {
        /** Its host vanishes: its sessions, and the ids that they hold, end after a while. Another one takes its place. */
        KILL,
        HANG,
        VANISH,
        LOSE_COMMIT
    }

    /** Something is done to an instance. */
    record Act(long at, int instance, Deed deed, long length) {}

    static InboxPlan of(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        boolean fifo = random.nextInt(3) == 0;
        int instances = 1 + random.nextInt(3);
        int messages = 1 + random.nextInt(30);
        List<Act> acts = new ArrayList<>();
        int count = random.nextInt(4);
        Deed[] all = Deed.values();
        for (int i = 0; i < count; i++) {
            Deed deed = random.nextBoolean() ? Deed.KILL : all[random.nextInt(all.length)];
            long length = random.nextLong((deed == Deed.KILL && random.nextBoolean() ? 400 : 20) * SECOND);
            acts.add(new Act(random.nextLong(6 * SECOND), random.nextInt(instances), deed, length));
        }
        return new InboxPlan(
                seed,
                fifo,
                instances,
                1 + random.nextInt(10),
                1 + random.nextInt(4),
                messages,
                some(random, 12),
                fifo ? Set.of() : some(random, 12),
                some(random, messages),
                some(random, messages),
                acts);
    }

    private static Set<Integer> some(SplittableRandom random, int below) {
        Set<Integer> some = new HashSet<>();
        int count = random.nextInt(4);
        for (int i = 0; i < count; i++) {
            some.add(random.nextInt(below));
        }
        return some;
    }
}
