/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.codec.PayloadCodec;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.events.SenderEvents;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.payload.PayloadStore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The collaborators of a template.
 *
 * @param client sends the messages; the caller closes it, and its pool must hold {@code max-in-flight} connections for each queue
 * @param resolver finds queues
 * @param codec writes payloads
 * @param events makes the events of a queue, once per queue, by the queue's name; after 100 queues that were not found, the
 *     further ones share the name {@code (other)}
 * @param observer observes each message
 * @param binding asked at each message. While it is active, {@link BatchSqsTemplate#sendAndWait} and
 *     {@link BatchSqsTemplate#sendAll} throw {@link IllegalStateException}: they would wait for sends that happen only after they
 *     return
 * @param time the clock
 * @param payloads stores payloads outside of SQS, or {@code null} if all payloads travel in messages
 */
public record SenderResources(
        QueueClient client,
        QueueResolver resolver,
        PayloadCodec codec,
        Function<String, SenderEvents> events,
        SendObserver observer,
        SendBinding binding,
        TimeSource time,
        @Nullable PayloadStore payloads) {

    /**
     * {@return resources without events, observer and transactions}
     *
     * @param client the client that sends
     * @param resolver the resolver of queue names
     * @param codec the codec that writes the bodies
     */
    public static SenderResources of(QueueClient client, QueueResolver resolver, PayloadCodec codec) {
        return new SenderResources(
                client,
                resolver,
                codec,
                queue -> SenderEvents.NONE,
                SendObserver.NONE,
                SendBinding.NONE,
                TimeSource.system(),
                null);
    }
}
