/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StatementCountTests {

    private static final Round ROUND = new Round(100, 10, 1, 1);

    private final StatementCount count = new StatementCount();

    @Test
    void tellsTheStatementsOfTheApplicationFromThoseOfTheLibrary() {
        Stream.of(
                        "INSERT INTO work (id, body) VALUES (?, ?)",
                        "WITH ids AS (SELECT 1) INSERT INTO batchsqs_inbox (queue, id) SELECT 1",
                        "INSERT INTO batchsqs_outbox (client) VALUES (?)",
                        "INSERT INTO batchsqs_outbox_lock (id) VALUES (1)",
                        "SET LOCAL idle_in_transaction_session_timeout = '15s'",
                        "SELECT id FROM batchsqs_outbox WHERE id >= ?",
                        "DELETE FROM batchsqs_outbox WHERE id IN (?)")
                .forEach(count::executed);
        count.committed();

        assertThat(count.statements(ROUND)).isEqualTo(new Statements(100, 10, 1, 2, 4, 1));
    }

    @Test
    void beginsAgain() {
        count.executed("SELECT 1");
        count.reset();

        assertThat(count.statements(ROUND).all()).isZero();
    }
}
