/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal;

import io.github.batchsqs.internal.support.DaemonThreads;

/** The threads of inbox and outbox: {@code batchsqs-jdbc-<role>}. */
public final class JdbcThreads {

    private JdbcThreads() {}

    /** Starts a virtual thread. */
    public static void start(String role, Runnable loop) {
        DaemonThreads.insist(() -> {
            Thread unused = Thread.ofVirtual().name("batchsqs-jdbc-" + role).start(loop);
        });
    }

    /** Starts a platform thread, for work that must go on while handlers compute on all carriers of virtual threads. */
    public static Thread startPlatform(String role, Runnable loop) {
        return Thread.ofPlatform().daemon().name("batchsqs-jdbc-" + role).start(loop);
    }
}
