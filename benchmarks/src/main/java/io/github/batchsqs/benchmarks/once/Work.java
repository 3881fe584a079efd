/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

import io.github.batchsqs.SqsMessage;
import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;

/** What handlers and producers do: they insert rows, in the transaction of the thread. */
record Work(JdbcTemplate jdbc) {

    private static final String INSERT = "INSERT INTO " + Servers.WORK + " (id, body) VALUES (?, ?)";

    /** Inserts a row for each message, by one JDBC batch. */
    void insert(List<? extends SqsMessage<?>> messages) {
        int[][] unused = jdbc.batchUpdate(INSERT, messages, messages.size(), (statement, message) -> {
            statement.setString(1, message.id());
            statement.setString(2, message.body());
        });
    }

    /** Inserts one row. */
    void insert(String id, String body) {
        int unused = jdbc.update(INSERT, id, body);
    }
}
