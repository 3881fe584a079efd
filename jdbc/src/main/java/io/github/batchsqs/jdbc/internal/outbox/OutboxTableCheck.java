/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import io.github.batchsqs.jdbc.internal.Database;
import java.util.List;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Runs the kinds of statements of the outbox without any row when the application starts, so that a column or a permission that is
 * missing ends the start, and not the first transaction that sends.
 */
final class OutboxTableCheck {

    private static final List<String> STATEMENTS = List.of(
            "INSERT INTO " + OutboxTable.NAME + " (" + OutboxTable.COLUMNS + ") SELECT " + OutboxTable.COLUMNS
                    + " FROM " + OutboxTable.NAME + " WHERE 1 = 0",
            "UPDATE " + OutboxTable.NAME
                    + " SET owner = NULL, due_at = 0, attempts = 0, failed_at = NULL, error = NULL WHERE 1 = 0",
            "DELETE FROM " + OutboxTable.NAME + " WHERE 1 = 0",
            "INSERT INTO " + OutboxTable.LOCK + " (id, alive_until) SELECT id, alive_until FROM " + OutboxTable.LOCK
                    + " WHERE 1 = 0",
            "UPDATE " + OutboxTable.LOCK + " SET alive_until = alive_until WHERE 1 = 0",
            "DELETE FROM " + OutboxTable.LOCK + " WHERE 1 = 0");

    private final Database database;

    OutboxTableCheck(Database database) {
        this.database = database;
    }

    /** @throws SetupException if a table does not fit, with the remedy */
    void run() {
        JdbcOperations jdbc = database.jdbc();
        try {
            database.newTransaction().executeWithoutResult(status -> {
                status.setRollbackOnly();
                STATEMENTS.forEach(jdbc::update);
            });
        } catch (DataAccessException failed) {
            throw new SetupException(
                    "The tables " + OutboxTable.NAME + " and " + OutboxTable.LOCK
                            + " cannot be used as the outbox does: " + Database.reason(failed),
                    "Let the user of the DataSource select, insert, update and delete rows of both tables, and compare them with "
                            + database.dialect().schema() + ".",
                    failed);
        }
    }
}
