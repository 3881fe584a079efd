/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.run;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/** How long messages of a trickle took from their birth to the handler; each body begins with its time of birth. */
final class Delays implements MessageHandler {

    private static final int DIGITS = 16;

    private final ConcurrentLinkedQueue<Long> micros = new ConcurrentLinkedQueue<>();

    @Override
    public void handle(List<String> bodies) {
        long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        for (String body : bodies) {
            micros.add(now - Long.parseLong(body, 0, DIGITS, 10));
        }
    }

    void forget() {
        micros.clear();
    }

    double percentileMillis(double share) {
        long[] sorted = micros.stream().mapToLong(Long::longValue).sorted().toArray();
        if (sorted.length == 0) {
            return 0;
        }
        return sorted[(int) Math.min(sorted.length - 1, Math.round(share * sorted.length))] / 1000.0;
    }
}
