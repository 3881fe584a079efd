/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import io.github.batchsqs.TimeSource;
import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.codec.PayloadCodec;
import io.github.batchsqs.events.SenderEvents;
import java.util.function.Function;

/**
 * What a template works with.
 *
 * @param client sends; the caller owns it, and its pool must hold {@code max-in-flight} connections for each queue
 * @param resolver finds queues
 * @param codec writes payloads
 * @param events told what happens; asked for once per queue, with the queue's name
 * @param observer told of each message
 * @param binding asked at each message. While it is active, {@link BatchSqsTemplate#sendAndWait} and
 *     {@link BatchSqsTemplate#sendAll} throw {@link IllegalStateException}: they would wait for what can only happen after
 *     they return
 * @param time the clock
 */
public record SenderResources(
        QueueClient client,
        QueueResolver resolver,
        PayloadCodec codec,
        Function<String, SenderEvents> events,
        SendObserver observer,
        SendBinding binding,
        TimeSource time) {

    /** Nobody is told or asked anything. */
    public static SenderResources of(QueueClient client, QueueResolver resolver, PayloadCodec codec) {
        return new SenderResources(
                client,
                resolver,
                codec,
                queue -> SenderEvents.NONE,
                SendObserver.NONE,
                SendBinding.NONE,
                TimeSource.system());
    }
}
