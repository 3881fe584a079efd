/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.run;

import java.util.List;

/** The work that every listener has to do with its messages; called by any number of threads. */
@FunctionalInterface
public interface MessageHandler {

    /** Handles what one invocation was given: one message, or a list. */
    void handle(List<String> bodies) throws InterruptedException;
}
