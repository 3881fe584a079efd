/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.live;

import org.jspecify.annotations.Nullable;

/**
 * What happened between two readings. What cannot be told, because nothing happened, is {@code null}.
 *
 * @param perSecond messages handled per second
 * @param receive messages per receive that found some
 * @param batch messages per invocation
 * @param deleteBatch messages per delete call
 * @param delay from a message's sending to its handler
 */
record Recent(
        double perSecond,
        @Nullable Double receive,
        @Nullable Double batch,
        @Nullable Double deleteBatch,
        @Nullable Delay delay) {

    /** In milliseconds. */
    record Delay(double median, double p99) {}

    static Recent between(Totals before, Totals now, double seconds, @Nullable Delay delay) {
        long handled = now.handled() - before.handled();
        long invocations = now.invocations() - before.invocations();
        return new Recent(
                seconds > 0 ? handled / seconds : 0,
                receive(before, now),
                ratio(now.invoked() - before.invoked(), invocations),
                ratio(now.deletes() - before.deletes(), now.deleteCalls() - before.deleteCalls()),
                delay);
    }

    /** Calls that are not deletes are receives, unless some failed or changed visibility. */
    private static @Nullable Double receive(Totals before, Totals now) {
        long receives = now.calls() - before.calls() - (now.deleteCalls() - before.deleteCalls());
        long received = now.received() - before.received();
        boolean unknown = before.handled() == 0 || received == 0 || now.others() != before.others();
        return unknown ? null : ratio(received, receives);
    }

    private static @Nullable Double ratio(long of, long by) {
        return by <= 0 ? null : (double) of / by;
    }
}
