/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.live;

import org.jspecify.annotations.Nullable;

/**
 * What happened between two readings. What cannot be told, because nothing happened, is {@code null}.
 *
 * @param perSecond messages handled per second
 * @param callsPerMessage calls to SQS for each message handled
 * @param batch messages per invocation
 * @param deleteBatch messages per delete call
 * @param delay from a message's sending to its handler
 */
record Recent(
        double perSecond,
        @Nullable Double callsPerMessage,
        @Nullable Double batch,
        @Nullable Double deleteBatch,
        @Nullable Delay delay) {

    /** In milliseconds. */
    record Delay(double median, double p99) {}

    static Recent between(Totals before, Totals now, double seconds, Delay delay) {
        long handled = now.handled() - before.handled();
        long invocations = now.invocations() - before.invocations();
        return new Recent(
                seconds > 0 ? handled / seconds : 0,
                ratio(now.calls() - before.calls(), handled),
                ratio(now.invoked() - before.invoked(), invocations),
                ratio(now.deletes() - before.deletes(), now.deleteCalls() - before.deleteCalls()),
                invocations == 0 ? null : delay);
    }

    private static @Nullable Double ratio(long of, long by) {
        return by == 0 ? null : (double) of / by;
    }
}
