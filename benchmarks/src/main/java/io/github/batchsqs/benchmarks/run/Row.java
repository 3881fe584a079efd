/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.run;

import org.jspecify.annotations.Nullable;

/**
 * One row of a table.
 *
 * @param name unique, with the parts separated by slashes: suite/scenario/contestant
 * @param label the contestant, for people
 * @param published the figure that others have published for it, or empty
 * @param latencyMicros what a call takes
 * @param connectMicros what the first call on a connection takes beyond that
 * @param work what it does
 * @param contestant who does it
 * @param tls whether over TLS
 * @param quick whether it belongs to the quick form
 */
public record Row(
        String name,
        String label,
        String published,
        int latencyMicros,
        int connectMicros,
        Work work,
        Contestant contestant,
        boolean tls,
        boolean quick) {

    /** Who does the work. */
    public record Contestant(
            @Nullable Listening listening, @Nullable Sending sending) {

        public static Contestant of(Listening listening) {
            return new Contestant(listening, null);
        }

        public static Contestant of(Sending sending) {
            return new Contestant(null, sending);
        }
    }

    /** Whether the CPU may be what limits it, so that the JVM must be warm. */
    public boolean warm() {
        return latencyMicros <= 20_000
                && !(work instanceof Work.Trickle)
                && !(work instanceof Work.Drain drain && drain.handler().calls());
    }

    /** All but the contestant. */
    public String scenario() {
        return name.substring(0, name.lastIndexOf('/'));
    }
}
