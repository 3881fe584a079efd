/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.listener;

import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.SqsLimits;
import java.time.Duration;

/** Those rules of {@link ListenerOptions} that have words of their own. */
final class OptionRules {

    private static final int MAX_BATCH_SIZE = 10_000;

    private OptionRules() {}

    static void batchSize(int batchSize) {
        Check.range("batch-size", batchSize, 1, MAX_BATCH_SIZE);
    }

    static void concurrency(int concurrency, int max) {
        if (concurrency != ListenerOptions.AUTO_CONCURRENCY) {
            Check.atLeast("concurrency", concurrency, 1);
        }
        Check.that(
                max >= 1,
                "concurrency",
                "must have a maximum of at least 1 with auto",
                "auto:" + max,
                "set auto:1 or more, or auto");
    }

    static void prefetch(int prefetch, ListenerOptions.Pollers pollers) {
        if (prefetch != ListenerOptions.AUTO_PREFETCH) {
            Check.range("prefetch", prefetch, 0, (long) SqsLimits.MAX_PER_CALL * pollers.max());
        }
    }

    static void waitTime(Duration waitTime) {
        Check.range("wait-time", waitTime, Duration.ZERO, Duration.ofSeconds(20));
        Check.that(
                waitTime.toNanosPart() == 0,
                "wait-time",
                "must be whole seconds, as SQS counts it",
                waitTime,
                "set a value such as 20s");
    }

    static void rateLimit(double rateLimit) {
        Check.that(
                rateLimit >= 0 && Double.isFinite(rateLimit),
                "rate-limit",
                "must be a positive number of messages per second, or 0 for none",
                rateLimit,
                "set a positive number or remove the key");
    }

    static void shutdownTimeout(Duration shutdownTimeout) {
        // Spring's timeout of a lifecycle phase is no bound: a listener's stop blocks, so that it is not cut short.
        Check.that(
                shutdownTimeout.isPositive() && shutdownTimeout.compareTo(SqsLimits.MAX_VISIBILITY) <= 0,
                "shutdown-timeout",
                "must be positive and at most " + Check.text(SqsLimits.MAX_VISIBILITY)
                        + ", because SQS keeps no message in flight for longer",
                shutdownTimeout,
                "set a value below the grace period of the platform, such as 25s");
    }
}
