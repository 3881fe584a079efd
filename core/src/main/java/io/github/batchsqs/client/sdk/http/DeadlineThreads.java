/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client.sdk.http;

/** The one place where the threads of the HTTP clients are made. */
final class DeadlineThreads {

    private DeadlineThreads() {}

    /** Starts the thread that looks at the calls in flight; the task ends with the client. */
    static void watch(Runnable task) {
        var ignored = Thread.ofVirtual().name("batchsqs-http-deadlines").start(task);
    }

    /** Starts the thread that closes idle connections; the task ends with the client. */
    static void idle(Runnable task) {
        var ignored = Thread.ofVirtual().name("batchsqs-http-idle").start(task);
    }

    /** Aborts a call on a thread of its own, because the close of a TLS connection may wait for a writer. */
    static void abort(Runnable abort) {
        try {
            var ignored = Thread.ofVirtual().name("batchsqs-http-abort").start(abort);
        } catch (Throwable noThread) { // for lack of memory, for example
            abort.run();
        }
    }
}
