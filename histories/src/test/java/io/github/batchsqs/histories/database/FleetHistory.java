/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.database;

import io.github.batchsqs.histories.SeededHistory;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One history of a fleet with one database. */
public abstract class FleetHistory extends SeededHistory {

    protected final FleetDatabase database;

    @SuppressWarnings("this-escape") // nothing commits before the history runs
    protected FleetHistory(long seed, List<String> trace) throws SQLException {
        super(seed, trace);
        this.database = new FleetDatabase(time, this::committed);
    }

    /** Makes a history. */
    protected interface Maker {

        FleetHistory make() throws SQLException;
    }

    /** Runs a history, and returns the law that it breaks, or {@code null}. */
    protected static @Nullable Throwable run(Maker maker) {
        try {
            FleetHistory history = maker.make();
            try (history.database) {
                return history.failure();
            }
        } catch (SQLException e) {
            return e;
        }
    }

    /** The strand's transaction has committed, whether it learns so or not. */
    protected void committed() {}
}
