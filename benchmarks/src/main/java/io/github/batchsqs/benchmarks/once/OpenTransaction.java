/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** A contest beside a transaction that stays open, so that neither its rows nor those that were deleted since it began can be vacuumed. */
final class OpenTransaction implements Contest {

    private final Contest contest;
    private final Connection open;

    OpenTransaction(Servers servers, Contest contest) throws IOException {
        this.contest = contest;
        try {
            this.open = DriverManager.getConnection(servers.postgres().url());
            open.setAutoCommit(false);
            try (Statement statement = open.createStatement()) {
                int unused = statement.executeUpdate("INSERT INTO " + Servers.WORK + " VALUES ('open', '')");
            }
        } catch (SQLException failure) {
            throw new IOException(failure);
        }
    }

    @Override
    public List<String> contestants() {
        return contest.contestants();
    }

    @Override
    public Round round(String contestant, int messages) throws IOException, InterruptedException {
        return contest.round(contestant, messages);
    }

    @Override
    public void close() {
        contest.close();
        try (open) {
            open.rollback();
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
