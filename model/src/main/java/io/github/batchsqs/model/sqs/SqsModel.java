/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.sqs;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * SQS of one account and region: its queues by name.
 *
 * <p>Pure: each operation gets the time as a parameter, in nanoseconds since 1970, which never runs backwards. There are no
 * threads, no clock and no chance: the same operations give the same results. Not safe for use by several threads.
 *
 * <p>Not modelled: that a deleted queue's name is taken for a minute, that a purge excludes another one for a minute, quotas of
 * calls per second, encryption and permissions.
 *
 * @param <P> what the messages carry
 */
public final class SqsModel<P extends Payload> {

    private final Map<String, ModelQueue<P>> queues = new LinkedHashMap<>();
    final Observer<P> observer;
    private long lastSequence;

    public SqsModel() {
        this(new Observer<>() {});
    }

    public SqsModel(Observer<P> observer) {
        this.observer = observer;
    }

    /**
     * Creates a queue, or returns the one that is there with the same settings.
     *
     * @throws SqsFailure {@code QueueNameExists} if it has other settings
     */
    public ModelQueue<P> create(String name, QueueSettings settings) {
        ModelQueue<P> existing = queues.get(name);
        if (existing == null) {
            ModelQueue<P> created = new ModelQueue<>(this, name, settings);
            queues.put(name, created);
            return created;
        }
        if (!existing.settings().equals(settings)) {
            throw new SqsFailure(
                    ErrorCode.QUEUE_NAME_EXISTS,
                    "A queue already exists with the same name and a different value for an attribute: " + name);
        }
        return existing;
    }

    /**
     * Returns the queue of this name.
     *
     * @throws SqsFailure {@code QueueDoesNotExist}
     */
    public ModelQueue<P> queue(String name) {
        ModelQueue<P> queue = queues.get(name);
        if (queue == null) {
            throw new SqsFailure(ErrorCode.QUEUE_DOES_NOT_EXIST, "The specified queue does not exist: " + name);
        }
        return queue;
    }

    public @Nullable ModelQueue<P> find(String name) {
        return queues.get(name);
    }

    /** All queues in the order of their creation. */
    public Collection<ModelQueue<P>> queues() {
        return Collections.unmodifiableCollection(queues.values());
    }

    /** Deletes a queue with its messages. */
    public void delete(String name) {
        queue(name).purge();
        queues.remove(name);
    }

    long nextSequence() {
        return ++lastSequence;
    }
}
