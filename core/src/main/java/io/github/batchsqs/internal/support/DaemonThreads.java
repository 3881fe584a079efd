/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

/** Starts platform threads, which computing virtual threads do not keep, and which do not keep the process. */
public final class DaemonThreads {

    private DaemonThreads() {}

    /** Starts a thread; a virtual one if no platform thread can be started. */
    public static void start(String name, Runnable task) {
        try {
            Thread.ofPlatform().daemon().name(name).start(task);
        } catch (OutOfMemoryError e) {
            Thread unused = Thread.ofVirtual().name(name).start(task);
        }
    }
}
