/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.client.QueueAttributes;
import io.github.batchsqs.internal.receive.fetch.Fetcher;
import io.github.batchsqs.internal.receive.settle.Calls;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.SafeLog;
import io.github.batchsqs.internal.support.SqsLimits;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ListenerOptions.AcknowledgeMode;
import io.github.batchsqs.listener.ListenerOptions.FifoGrouping;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds options that are valid but probably a mistake. The log names them in one line at each start, and those that depend
 * on the capacity also after a change at run time. The listener runs in any case.
 */
final class OptionWarnings {

    /** A call to another continent. */
    private static final Duration SLOW_CALL = Duration.ofMillis(170);

    private static final Duration SHORT_STOP = Duration.ofSeconds(1);

    static final String NO_DEAD_LETTER_QUEUE =
            "the queue has no dead-letter queue, so a message that always fails comes back until its retention period ends"
                    + " (give the queue a redrive policy, or set failure.dead-letter)";

    private OptionWarnings() {}

    /** Returns a clause for each mistake with its effect and the remedy; empty if there is none. */
    static List<String> find(ListenerOptions options, Duration lease, boolean fifo, QueueAttributes queue) {
        List<String> found = new ArrayList<>(0);
        if (queue.redrive() == null && options.failure().deadLetter().equals(ListenerOptions.Failure.REDRIVE_POLICY)) {
            found.add(NO_DEAD_LETTER_QUEUE);
        }
        if (lease.compareTo(options.batchLinger()) <= 0) {
            found.add("the visibility timeout (" + Check.text(lease) + ") is not above batch-linger ("
                    + Check.text(options.batchLinger())
                    + "), so messages are extended before they run at all (raise the one or lower the other)");
        }
        if (fifo
                && options.fifoGrouping() == FifoGrouping.MIXED
                && options.failure().retryIndividually()) {
            found.add(
                    "with fifo.batch-grouping: mixed and failure.retry-individually a failed batch of many groups is run"
                            + " again message by message, which holds all of these groups up (use batch-grouping: group)");
        }
        if (options.failure().retryIndividually() && options.acknowledge().mode() != AcknowledgeMode.ON_SUCCESS) {
            found.add(
                    "failure.retry-individually has no effect unless acknowledge.mode is on-success (remove one of the two)");
        }
        if (queue.redrive() != null && queue.redrive().maxReceiveCount() == 1 && options.prefetch() != 0) {
            found.add("the queue's redrive policy has maxReceiveCount 1, so each stop sends the messages that wait for"
                    + " an invocation to the dead-letter queue without running them (give it a maxReceiveCount of at"
                    + " least 3, or set prefetch: 0 so that fewer wait)");
        }
        if (options.waitTime().isZero() && options.pollers().minInterval().isZero()) {
            found.add(
                    "wait-time is 0s, so an empty queue is polled again at once, with a call each time (set wait-time: 20s,"
                            + " or pollers.min-interval)");
        }
        found.addAll(ofCapacity(options, lease));
        withoutUnit(options, lease, found);
        return found;
    }

    /** Logs the mistakes that a change has made, as the start does. */
    static void logChange(SafeLog log, ListenerOptions before, ListenerOptions now, Duration lease) {
        List<String> unwise = ofCapacity(now, lease);
        if (!unwise.isEmpty() && !unwise.equals(ofCapacity(before, lease))) {
            log.warn("Listener {}: {}", now.id(), String.join("; ", unwise));
        }
    }

    /** Returns the mistakes that a change of the concurrency or of the pollers may cause. */
    static List<String> ofCapacity(ListenerOptions current, Duration lease) {
        ListenerOptions most = InvocationLimit.atMost(current);
        List<String> found = new ArrayList<>(0);
        starved(most, found);
        unkept(chosen(current), lease, found);
        return found;
    }

    /**
     * Returns the options with the number of invocations that somebody chose, or that there are in any case. Nobody chose the default
     * maximum of an automatic concurrency, which is rarely reached by handlers so slow that their messages need extensions.
     */
    private static ListenerOptions chosen(ListenerOptions current) {
        return current.concurrencyMax() == ListenerOptions.DEFAULT_CONCURRENCY_MAX
                ? InvocationLimit.initial(current)
                : InvocationLimit.atMost(current);
    }

    /** A number without a unit is milliseconds, where seconds are meant. */
    private static void withoutUnit(ListenerOptions options, Duration lease, List<String> found) {
        Duration stop = options.shutdownTimeout();
        if (stop.compareTo(SHORT_STOP) < 0) {
            found.add(
                    "shutdown-timeout is " + Check.text(stop) + ", so a stop interrupts handlers at once (set at least "
                            + Check.text(SHORT_STOP) + "; a number without a unit is milliseconds)");
        }
        Duration extension = options.visibility().maxExtension();
        if (extension.isPositive() && extension.compareTo(lease) < 0) {
            found.add("visibility.max-extension (" + Check.text(extension) + ") is below the visibility timeout ("
                    + Check.text(lease)
                    + "), so no lease is extended (raise it, or set visibility.max-extension: 0s; a number"
                    + " without a unit is milliseconds)");
        }
    }

    /** Each message in flight needs an extension in each half of its lease. */
    private static void unkept(ListenerOptions options, Duration lease, List<String> found) {
        long inFlight = Fetcher.maxInFlight(options);
        int calls = Calls.inFlight(options);
        long kept = lease.dividedBy(2).dividedBy(SLOW_CALL) * calls * SqsLimits.MAX_PER_CALL;
        if (options.visibility().maxExtension().isPositive() && inFlight > kept) {
            found.add("up to " + inFlight + " messages are in flight, but " + calls + " calls at once of "
                    + SLOW_CALL.toMillis() + " ms each extend only " + kept + " in half of the visibility timeout ("
                    + Check.text(lease)
                    + "), so slow handlers lose leases (lower concurrency, batch-size or prefetch, or raise"
                    + " visibility.timeout)");
        }
    }

    private static void starved(ListenerOptions options, List<String> found) {
        if (options.prefetch() == ListenerOptions.AUTO_PREFETCH) {
            return;
        }
        long limit = (long) options.concurrency() * options.batchSize() + options.prefetch();
        long fed = (limit + SqsLimits.MAX_PER_CALL - 1) / SqsLimits.MAX_PER_CALL;
        if (options.pollers().min() > fed) {
            found.add("pollers.min is " + options.pollers().min() + ", but at most " + limit
                    + " messages are in flight, enough for " + fed + " (lower it, or raise prefetch or concurrency)");
        }
    }
}
