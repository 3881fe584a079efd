/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import io.github.batchsqs.Acknowledgement;
import io.github.batchsqs.SqsMessage;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;

/** Refuses manual acknowledgements where the outcome of the invocation settles the messages. */
enum OutcomeAcknowledgement implements Acknowledgement {
    INSTANCE;

    @Override
    public CompletableFuture<Void> acknowledge() {
        throw refused();
    }

    @Override
    public CompletableFuture<Void> acknowledge(Collection<? extends SqsMessage<?>> messages) {
        throw refused();
    }

    @Override
    public CompletableFuture<Void> nack(Duration after) {
        throw refused();
    }

    @Override
    public CompletableFuture<Void> nack(Collection<? extends SqsMessage<?>> messages, Duration after) {
        throw refused();
    }

    private static IllegalStateException refused() {
        return new IllegalStateException("Messages of this listener are settled by the outcome of the invocation; set"
                + " acknowledge.mode to manual to settle them manually");
    }
}
