/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

/** Where a {@link ListenerContainer} stands. */
public enum ContainerState {
    /** Made, or stopped; holds no thread and no message. */
    STOPPED,
    /** Looking for its queue. */
    STARTING,
    /** Receiving. */
    RUNNING,
    /** Not receiving; what was received is still handled. */
    PAUSED,
    /** Giving back, finishing and flushing, within the shutdown timeout. */
    STOPPING
}
