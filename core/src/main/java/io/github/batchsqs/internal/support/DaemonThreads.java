/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

/** Starts platform threads, which computing virtual threads do not keep, and which do not keep the process. */
public final class DaemonThreads {

    private DaemonThreads() {}

    /** Starts a thread. */
    public static void start(String name, Runnable task) {
        Thread.ofPlatform().daemon().name(name).start(task);
    }
}
