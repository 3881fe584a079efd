/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.database;

import io.github.batchsqs.histories.laws.Broken;
import io.github.batchsqs.histories.laws.Truth;
import io.github.batchsqs.model.time.VirtualTime;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** One history of a fleet with one database, in virtual time. */
public abstract class FleetHistory {

    protected static final long SECOND = Duration.ofSeconds(1).toNanos();

    protected final VirtualTime time;
    protected final FleetDatabase database;

    /** What ends the history, once the time stops. */
    protected @Nullable Broken broken;

    private final List<String> trace;

    @SuppressWarnings("this-escape") // nothing commits before the history runs
    protected FleetHistory(long seed, List<String> trace) throws SQLException {
        this.trace = trace;
        this.time = new VirtualTime(new SplittableRandom(~seed));
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

    private @Nullable Throwable failure() throws SQLException {
        try {
            run();
            return null;
        } catch (Broken e) {
            if (Boolean.getBoolean("batchsqs.history.dump")) {
                trace.add(time.dump());
            }
            return e;
        } catch (IllegalStateException e) {
            return e.getCause() == null ? e : e.getCause();
        } finally {
            time.end();
        }
    }

    /** Lets everything happen, and throws what breaks a law. */
    protected abstract void run() throws SQLException;

    /** The strand's transaction has committed, whether it learns so or not. */
    protected void committed() {}

    protected final void pass(long until) {
        time.runUntil(until);
        if (broken != null) {
            throw broken;
        }
    }

    protected final void at(long nanos, Runnable action) {
        VirtualTime.Event unused = time.at(nanos, action);
    }

    protected final void note(String what) {
        trace.add(Truth.seconds(time.nanos()) + " " + what);
    }
}
