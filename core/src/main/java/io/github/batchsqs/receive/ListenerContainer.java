/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ContainerStatus;
import io.github.batchsqs.listener.ListenerOptions;
import java.util.function.UnaryOperator;

/**
 * Runs one listener on one queue. Applications get their containers from {@link ListenerContainers}.
 *
 * <p>{@link #start} looks for the queue on the caller's thread, then starts the pollers. {@link
 * #stop} takes at most the shutdown timeout, and after it no message is in flight here. Both may be called at any time, twice and at
 * once. A stop in a handler of this container returns at once and takes effect when the handler has returned; a start that would have to wait
 * for that is refused. A stopped container can be started again, one that {@link ListenerContainers#remove} has removed cannot.
 *
 * <p>What the engine itself throws, as opposed to handlers, converters and other code of the application, ends the run: the log has the
 * error, the container stops in order, its status names the problem, and a new run starts after a while. Safe for use by any thread.
 */
public interface ListenerContainer {

    /** {@return the options in force, live changes included} */
    ListenerOptions options();

    /** {@return the state of this moment} */
    ContainerState state();

    /** {@return the numbers of this moment} */
    ContainerStatus status();

    /**
     * Starts, unless it runs already; during a stop it waits for the end of that stop. With {@code queue-not-found: wait} it returns
     * while the queue is still looked for.
     *
     * @throws BatchSqsException if the queue was not found or could not be asked, if the container was removed, or if its stop waits for
     *     the calling handler; it stays stopped
     */
    void start();

    /** Stops, unless it is stopped already; returns when it is. See the class for what a stop does. */
    void stop();

    /** Receives nothing until {@link #resume}; what was received is still handled. Only a running container pauses. */
    void pause();

    /** Receives again after a {@link #pause}. */
    void resume();

    /**
     * Changes the maximum number of concurrent invocations, from now on and after a restart.
     *
     * @param concurrency the maximum number, at least 1
     * @throws io.github.batchsqs.errors.InvalidOptionException if the value breaks its rule; nothing changes then
     */
    void setConcurrency(int concurrency);

    /**
     * Changes the bounds of the number of pollers, from now on and after a restart.
     *
     * @param min the number of concurrent receives when the queue is empty
     * @param max the maximum number of concurrent receives
     * @throws io.github.batchsqs.errors.InvalidOptionException if a value breaks its rule; nothing changes then
     */
    void setPollers(int min, int max);

    /**
     * Changes the bounds of the number of pollers as {@link #setPollers} does, from the bounds of this moment. No change of
     * another thread comes in between, so that a bound which the function keeps is not lost.
     *
     * @param change makes the new bounds of the old ones; called once, must be quick
     * @throws io.github.batchsqs.errors.InvalidOptionException if a value breaks its rule; nothing changes then
     */
    void changePollers(UnaryOperator<ListenerOptions.Pollers> change);
}
