/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.run;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Records how long messages of a trickle took from their birth to the handler; each body begins with its time of birth.
 *
 * @param delays where they go
 */
record Delays(Durations delays) implements MessageHandler {

    private static final int DIGITS = 16;

    @Override
    public void handle(List<String> bodies) {
        long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        for (String body : bodies) {
            delays.add(now - Long.parseLong(body, 0, DIGITS, 10));
        }
    }
}
