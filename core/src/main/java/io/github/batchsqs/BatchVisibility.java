/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/**
 * The visibility of one batch.
 *
 * @param batch the messages
 * @param change changes the visibility of some of them
 */
record BatchVisibility<T>(
        List<SqsMessage<T>> batch, BiFunction<List<SqsMessage<T>>, Duration, CompletableFuture<Void>> change)
        implements Visibility {

    @Override
    public CompletableFuture<Void> changeTo(Duration timeout) {
        return change.apply(batch, valid(timeout));
    }

    @Override
    public CompletableFuture<Void> changeTo(Collection<? extends SqsMessage<?>> messages, Duration timeout) {
        Map<String, SqsMessage<T>> own = new HashMap<>();
        batch.forEach(message -> own.put(message.id(), message));
        return change.apply(
                messages.stream()
                        .map(message -> {
                            SqsMessage<T> found = own.get(message.id());
                            if (found == null) {
                                throw new IllegalArgumentException("Message " + message.id()
                                        + " is not of this batch; change its visibility through its own batch");
                            }
                            return found;
                        })
                        .toList(),
                valid(timeout));
    }

    private static Duration valid(Duration timeout) {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("timeout must not be negative, but is " + timeout
                    + "; give the time from now at which the message may become visible");
        }
        return timeout;
    }
}
