/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories;

import io.github.batchsqs.histories.laws.Broken;
import io.github.batchsqs.histories.laws.Truth;
import io.github.batchsqs.model.time.VirtualTime;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** One history in virtual time, which its seed decides. */
public abstract class SeededHistory {

    protected static final long SECOND = Duration.ofSeconds(1).toNanos();

    protected final VirtualTime time;
    private final List<String> trace;
    private @Nullable Broken broken;

    protected SeededHistory(long seed, List<String> trace) {
        this.trace = trace;
        this.time = new VirtualTime(new SplittableRandom(~seed));
    }

    /** Runs the history, and returns the law that it breaks, or {@code null}. */
    protected final @Nullable Throwable failure() {
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
        } catch (SQLException e) {
            return e;
        } finally {
            time.end();
        }
    }

    /** Lets everything happen, and throws what breaks a law. */
    protected abstract void run() throws SQLException;

    protected final void pass(long until) {
        time.runUntil(until);
        if (broken != null) {
            throw broken;
        }
    }

    protected final void at(long nanos, Runnable action) {
        VirtualTime.Event unused = time.at(nanos, action);
    }

    /** Ends the history, once the strand or the event that calls this is over or waits. The first law that is broken counts. */
    protected final void breaks(String law, String what) {
        broken = broken == null ? new Broken(law, what) : broken;
        time.stop();
    }

    protected final void note(String what) {
        trace.add(Truth.seconds(time.nanos()) + " " + what);
    }
}
