/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.http;

/** The one place where the threads of calls are made: platform threads, which computing virtual threads do not keep. */
public final class HttpThreads {

    private HttpThreads() {}

    /** Starts the thread that looks at the calls in flight; the task ends with the client. */
    static void watch(Runnable task) {
        Thread.ofPlatform().daemon().name("batchsqs-http").start(task);
    }

    /** Starts a thread that asks a provider for credentials. */
    public static void credentials(Runnable task) {
        Thread.ofPlatform().daemon().name("batchsqs-credentials").start(task);
    }

    /** Starts a thread that looks up a host. */
    static void lookUp(Runnable task) {
        Thread.ofPlatform().daemon().name("batchsqs-http-dns").start(task);
    }
}
