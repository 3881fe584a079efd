/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The calls of one kind to which SQS has not responded yet. Decides when they are overdue. Pure: no thread, no clock of its
 * own; belongs to the {@link CallOutage}'s lock.
 *
 * <p>Calls are overdue when SQS has responded to none of their kind for {@link #GRACE}, or for a quarter of a lease if that
 * is shorter, although a call was open. A call that an interrupt ended, and the time until the next call, count as well if
 * the next call begins within a lease: the extender interrupts a heartbeat when its time is over.
 */
final class OpenCalls {

    /** The maximum time of a response; below that of the client's read timeout. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final long graceNanos;
    private final long leaseNanos;
    private final List<OpenCall> open = new ArrayList<>();
    private long silentSince;
    private boolean interrupted;
    private long interruptedAt;

    OpenCalls(Duration lease) {
        this.leaseNanos = lease.toNanos();
        this.graceNanos = Math.min(GRACE.toNanos(), leaseNanos / 4);
    }

    /** A call to which SQS has not responded yet. */
    static final class OpenCall {

        private final int entries;
        private volatile boolean overdue;

        private OpenCall(int entries) {
            this.entries = entries;
        }

        /** Returns how many entries it carries. */
        int entries() {
            return entries;
        }

        /** Returns whether it was overdue at any time. */
        boolean overdue() {
            return overdue;
        }
    }

    /** Begins a call. */
    OpenCall begin(int entries, long now) {
        if (open.isEmpty() && !(interrupted && now - interruptedAt <= leaseNanos)) {
            silentSince = now;
        }
        OpenCall call = new OpenCall(entries);
        open.add(call);
        return call;
    }

    /** Ends a call to which SQS responded, or that failed. Returns for how long there was no response before. */
    Duration ended(OpenCall call, long now) {
        Duration silence = Duration.ofNanos(now - silentSince);
        open.remove(call);
        silentSince = now;
        interrupted = false;
        return silence;
    }

    /** Ends a call by an interrupt. Returns for how long SQS has not responded if it was overdue, else zero. */
    Duration interrupted(OpenCall call, long now) {
        Duration silence = overdueFor(now);
        open.remove(call);
        interrupted = true;
        interruptedAt = now;
        return silence;
    }

    /** Returns for how long SQS has not responded if a call is overdue, else zero. */
    Duration overdueFor(long now) {
        long silence = now - silentSince;
        return open.isEmpty() || silence < graceNanos ? Duration.ZERO : Duration.ofNanos(silence);
    }

    /** Marks all open calls as overdue. Returns those that were not before. */
    List<OpenCall> becomeOverdue() {
        List<OpenCall> news = new ArrayList<>(open.size());
        for (OpenCall call : open) {
            if (!call.overdue) {
                call.overdue = true;
                news.add(call);
            }
        }
        return news;
    }
}
