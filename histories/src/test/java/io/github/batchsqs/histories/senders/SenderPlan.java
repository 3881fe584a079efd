/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.senders;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What a seed makes of a history of sends.
 *
 * @param deliverySeconds the delivery timeout
 * @param closeAt when the template is closed, in seconds
 * @param client what makes the calls
 */
record SenderPlan(
        long seed,
        boolean fifo,
        int deliverySeconds,
        int lingerMillis,
        int maxInFlight,
        int closeAt,
        boolean bucket,
        Client client,
        List<Step> steps) {

    /** What makes the calls. */
    enum Client {
        DIRECT,
        SDK,
        /** A client of an application, which repeats calls by itself. */
        SDK_WITH_RETRIES
    }

    /** What becomes of an attempt. */
    enum Fault {
        LOST_BEFORE,
        LOST_AFTER,
        /** The response ends early. */
        CUT,
        DEAD_CONNECTION,
        /** There is no connection, so nothing is sent. */
        UNSENT,
        LATE,
        THROTTLED,
        DENIED,
        UNAVAILABLE,
        ENTRY_FAILED,
        ENTRY_THROTTLED,
        ENTRY_MISSING
    }

    /** One thing that happens. */
    sealed interface Step {}

    /**
     * A message is sent.
     *
     * @param bad whether SQS refuses every call that carries it
     */
    record Send(long at, String body, @Nullable String group, boolean bad) implements Step {}

    /** The attempt of that number goes wrong. */
    record AttemptFault(int number, Fault fault) implements Step {}

    SenderPlan with(List<Step> some) {
        return new SenderPlan(seed, fifo, deliverySeconds, lingerMillis, maxInFlight, closeAt, bucket, client, some);
    }

    static SenderPlan of(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        boolean fifo = random.nextInt(3) == 0;
        List<Step> steps = new ArrayList<>();
        int count = 1 + random.nextInt(30);
        int groups = 1 + random.nextInt(3);
        boolean someBad = random.nextInt(3) == 0;
        for (int i = 0; i < count; i++) {
            String group = fifo ? "g" + random.nextInt(groups) : null;
            boolean bad = someBad && random.nextInt(10) == 0;
            long at = random.nextInt(3) == 0 ? random.nextLong(20_000_000_000L) : random.nextLong(20_000_000L);
            steps.add(new Send(at, "m" + i, group, bad));
        }
        int faults = random.nextInt(4) == 0 ? 0 : random.nextInt(random.nextInt(3) == 0 ? 25 : 6);
        Fault[] all = Fault.values();
        for (int i = 0; i < faults; i++) {
            steps.add(new AttemptFault(1 + random.nextInt(20), all[random.nextInt(all.length)]));
        }
        return new SenderPlan(
                seed,
                fifo,
                5 + random.nextInt(60),
                random.nextInt(20),
                1 + random.nextInt(8),
                random.nextInt(5) == 0 ? 1 + random.nextInt(20) : 400,
                random.nextInt(3) == 0,
                random.nextInt(4) > 0 ? Client.DIRECT : random.nextBoolean() ? Client.SDK : Client.SDK_WITH_RETRIES,
                steps);
    }
}
