/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.live;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.search.RequiredSearch;
import org.jspecify.annotations.Nullable;

/**
 * What a listener's meters have counted since the start; see the reference of the meters.
 *
 * @param handled messages whose delete SQS accepted
 * @param calls to SQS, of every kind
 * @param invocations of the handler
 * @param invoked messages in them
 * @param deleteCalls calls that deleted
 * @param deletes messages in them
 * @param received messages received
 * @param others calls that failed, of all listeners, and messages whose visibility was changed
 * @param retries messages that a handler got although they had been received before
 * @param duplicates messages that the inbox skipped, because they had been processed; {@code null} without an inbox
 */
record Totals(
        long handled,
        long calls,
        long invocations,
        long invoked,
        long deleteCalls,
        long deletes,
        long received,
        long others,
        long retries,
        @Nullable Long duplicates,
        long leasesExtended,
        long leasesLost) {

    static final Totals NONE = new Totals(0, 0, 0, 0, 0, 0, 0, 0, 0, null, 0, 0);

    static Totals of(MeterRegistry meters, String listener, long retries) {
        var batches = search(meters, listener, "listener.batch.size").summary();
        var deletes =
                search(meters, listener, "listener.acknowledge.batch.size").summary();
        long handled = count(meters, listener, "acknowledged");
        long extended = count(meters, listener, "lease.extended");
        return new Totals(
                handled,
                calls(meters, listener, handled),
                batches.count(),
                (long) batches.totalAmount(),
                deletes.count(),
                (long) deletes.totalAmount(),
                count(meters, listener, "received"),
                failedCalls(meters) + count(meters, listener, "released") + extended,
                retries,
                duplicates(meters, listener),
                extended,
                count(meters, listener, "lease.lost"));
    }

    /** The meter is calls for each message; before the first message it is no number, and there are none to tell of. */
    private static long calls(MeterRegistry meters, String listener, long handled) {
        return handled == 0
                ? 0
                : Math.round(search(meters, listener, "api.calls.per.message")
                                .gauge()
                                .value()
                        * handled);
    }

    private static @Nullable Long duplicates(MeterRegistry meters, String listener) {
        Counter skipped = meters.find("batchsqs.inbox.duplicates")
                .tag("listener", listener)
                .counter();
        return skipped == null ? null : (long) skipped.count();
    }

    private static long failedCalls(MeterRegistry meters) {
        return meters.find("batchsqs.api.calls").timers().stream()
                .filter(each -> !"success".equals(each.getId().getTag("outcome")))
                .mapToLong(Timer::count)
                .sum();
    }

    private static long count(MeterRegistry meters, String listener, String counter) {
        return (long) search(meters, listener, "listener." + counter).counter().count();
    }

    private static RequiredSearch search(MeterRegistry meters, String listener, String name) {
        return meters.get("batchsqs." + name).tag("listener", listener);
    }
}
