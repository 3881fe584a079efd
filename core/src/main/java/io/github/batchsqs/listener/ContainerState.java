/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.listener;

/** The state of a {@link io.github.batchsqs.receive.ListenerContainer}. */
public enum ContainerState {
    /** New or stopped; it has no threads and no messages. */
    STOPPED,
    /** Looking for its queue. */
    STARTING,
    /** Receiving. */
    RUNNING,
    /** Not receiving; messages received before are still handled. */
    PAUSED,
    /** Finishing invocations and deletes, and returning the other messages to the queue, within the shutdown timeout. */
    STOPPING
}
