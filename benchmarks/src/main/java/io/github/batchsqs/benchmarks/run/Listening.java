/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.run;

/** A way to listen to a queue. */
@FunctionalInterface
public interface Listening {

    /** Starts listening, until the process ends. */
    void start(Target target, MessageHandler handler) throws Exception;
}
