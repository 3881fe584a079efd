/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The two contestants of a row, in one process. */
interface Contest extends AutoCloseable {

    /** How a row gets its contestants. */
    @FunctionalInterface
    interface Start {

        /**
         * Prepares them.
         *
         * @param batch messages of an invocation at most, or of a transaction
         * @param count counts their statements
         */
        Contest start(Servers servers, int batch, @Nullable StatementCount count) throws IOException;
    }

    /** Returns their names, first the one without inbox or outbox. */
    List<String> contestants();

    /** Runs a round, and checks that each message took effect exactly once. */
    Round round(String contestant, int messages) throws IOException, InterruptedException;

    @Override
    void close();
}
