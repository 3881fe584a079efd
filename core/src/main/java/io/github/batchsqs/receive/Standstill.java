/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.InFlightLedger;
import io.github.batchsqs.internal.receive.delivery.InFlightLimit;
import io.github.batchsqs.internal.receive.delivery.InFlightLimit.Full;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.receive.handoff.Dispatcher;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.OncePerMinute;
import io.github.batchsqs.internal.support.SafeLog;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Notices that a listener receives nothing because its messages in flight have every permit, or at least half of the memory and none is left,
 * and nothing settles them: their invocations have returned without an acknowledgement (manual mode), or a custom
 * executor has begun none of its batches. The log reports it once a minute when it has lasted for longer than a lease. Handlers
 * that run are no standstill.
 *
 * <p>{@link #tick} is called by the container's extender thread, one call at a time; the other method by any thread.
 */
final class Standstill {

    private static final SafeLog log = new SafeLog(LoggerFactory.getLogger(ListenerContainer.class));

    private final ListenerQueue source;
    private final InFlightLimit limit;
    private final InFlightLedger ledger;
    private final Dispatcher dispatcher;
    private final TimeSource time;
    private final OncePerMinute line;
    private volatile @Nullable Since since;

    /**
     * The beginning of a standstill.
     *
     * @param full what the messages in flight have all of
     * @param unacknowledged whether messages wait for an acknowledgement; otherwise batches wait for the executor
     * @param settled how many messages had been settled
     */
    private record Since(Full full, boolean unacknowledged, long settled, long nanos) {}

    Standstill(
            ListenerQueue source, InFlightLimit limit, InFlightLedger ledger, Dispatcher dispatcher, TimeSource time) {
        this.source = source;
        this.limit = limit;
        this.ledger = ledger;
        this.dispatcher = dispatcher;
        this.time = time;
        this.line = new OncePerMinute(time);
    }

    /**
     * Messages that wait for their acknowledgements.
     *
     * @param lasts for how long nothing has been received or settled because of them; zero if that is not so
     * @param full what they have all of
     */
    record Unacknowledged(Duration lasts, Full full) {

        static final Unacknowledged NONE = new Unacknowledged(Duration.ZERO, Full.NOTHING);
    }

    /** @param receives whether the listener is meant to receive */
    void tick(boolean receives) {
        Full full = receives && noReceiveIsOpen() ? limit.full() : Full.NOTHING;
        long unacknowledged = full == Full.NOTHING ? 0 : unacknowledged();
        if (full == Full.NOTHING || handlerRuns() || (unacknowledged == 0 && !executorBeginsNothing())) {
            since = null;
            return;
        }
        Since now = new Since(full, unacknowledged > 0, ledger.settledSoFar(), time.nanos());
        Since before = since;
        if (before == null
                || before.full() != now.full()
                || before.unacknowledged() != now.unacknowledged()
                || before.settled() != now.settled()) {
            since = now;
            return;
        }
        Duration lasts = Duration.ofNanos(now.nanos() - before.nanos());
        if (lasts.compareTo(source.lease()) > 0 && line.due()) {
            log(full, unacknowledged, lasts.truncatedTo(ChronoUnit.SECONDS));
        }
    }

    /**
     * Returns the messages that wait for their acknowledgements, so that nothing is received or settled; none while an invocation
     * runs or waits for its executor.
     */
    Unacknowledged unacknowledgedNow() {
        Since current = since;
        return current == null
                        || !current.unacknowledged()
                        || current.settled() != ledger.settledSoFar()
                        || dispatcher.active() > 0
                ? Unacknowledged.NONE
                : new Unacknowledged(Duration.ofNanos(time.nanos() - current.nanos()), current.full());
    }

    /** An open receive has permits too, but no messages yet. */
    private boolean noReceiveIsOpen() {
        return limit.used() <= ledger.size() + ledger.returning().size();
    }

    private long unacknowledged() {
        return ledger.tracked().stream()
                .filter(Delivery::awaitsManualSettlement)
                .filter(Delivery::unsettled)
                .count();
    }

    private boolean handlerRuns() {
        return dispatcher.active() > 0 && dispatcher.longestRunning().isPositive();
    }

    private boolean executorBeginsNothing() {
        return dispatcher.active() > 0 && dispatcher.longestRunning().isZero();
    }

    /** Returns what the messages in flight have all of, in words. */
    static String words(Full full) {
        return full == Full.MEMORY ? "at least half of batchsqs.in-flight-bytes" : "every permit";
    }

    /** Returns the settings that let more messages be in flight. */
    static String remedy(Full full) {
        return full == Full.MEMORY ? "batchsqs.in-flight-bytes and the heap" : "prefetch, concurrency or batch-size";
    }

    private void log(Full full, long unacknowledged, Duration lasts) {
        String lease = Check.text(source.lease());
        if (unacknowledged > 0) {
            log.warn(
                    "Listener {}: receives nothing from {}: {} messages in flight have {}, {} of them wait for an"
                            + " acknowledgement, and none was settled for {}, which is longer than the visibility timeout"
                            + " of {}; acknowledge or return each message, or raise {} if the work takes this long",
                    source.listener(),
                    source.name(),
                    ledger.size(),
                    words(full),
                    unacknowledged,
                    Check.text(lasts),
                    lease,
                    remedy(full));
        } else {
            log.warn(
                    "Listener {}: receives nothing from {}: {} messages in flight have {}, and the executor has"
                            + " begun none of {} batches for {}, which is longer than the visibility timeout of {}; let the"
                            + " executor run or refuse each batch",
                    source.listener(),
                    source.name(),
                    ledger.size(),
                    words(full),
                    dispatcher.active(),
                    Check.text(lasts),
                    lease);
        }
    }
}
