/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.support;

/** The virtual threads of inbox and outbox: {@code batchsqs-jdbc-<role>-<n>}. */
public final class JdbcThreads {

    private JdbcThreads() {}

    /** Starts a thread. */
    public static Thread start(String role, Runnable loop) {
        return Thread.ofVirtual().name("batchsqs-jdbc-" + role + "-", 1).start(loop);
    }
}
