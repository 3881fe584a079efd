/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.report;

import io.github.batchsqs.benchmarks.run.Measurement;
import io.github.batchsqs.benchmarks.run.Row;
import java.io.IOException;

/** Starts contestants. */
@FunctionalInterface
interface Starter {

    /** Starts the contestant of a row and blocks until it is warm. */
    Started start(Row row) throws IOException, InterruptedException;

    /** A contestant that waits for its turn. */
    interface Started extends AutoCloseable {

        /** Measures one round. */
        Measurement measure() throws IOException, InterruptedException;

        @Override
        void close();
    }
}
