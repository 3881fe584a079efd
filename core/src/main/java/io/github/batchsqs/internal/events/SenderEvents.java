/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.events;

/** Receives what happens on the send path to one queue. */
@FunctionalInterface
public interface SenderEvents {

    /** Nobody listens. */
    SenderEvents NONE = event -> {};

    /**
     * Something happened. Called on senders' and the engine's own threads, some of them for every message: implementations must
     * be quick and must not block. What they throw is logged, at most once a minute, and has no other effect.
     *
     * @param event what happened
     */
    void on(SenderEvent event);
}
