/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.http;

/** The one place where the threads of calls are made: platform threads, which computing virtual threads do not keep. */
final class HttpThreads {

    private HttpThreads() {}

    /** Starts a thread, which does not keep the process. */
    static void start(String name, Runnable task) {
        Thread.ofPlatform().daemon().name(name).start(task);
    }
}
