/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.embedded;

import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.client.SentMessage;
import io.github.batchsqs.internal.client.VisibilityChange;
import io.github.batchsqs.internal.support.ForeignCode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives by long polls of a second each, which are never aborted: ElasticMQ responds to aborted long polls as to others, and
 * messages that arrive after the stop of a cached test context would stay hidden for their visibility timeout.
 *
 * <p>Each poll runs on a virtual thread of its own. A caller that is interrupted leaves at once, and what its poll still brings
 * returns to the queue.
 */
record ShortReceives(QueueClient client) implements QueueClient {

    private static final Logger LOG = LoggerFactory.getLogger(ShortReceives.class);
    private static final Duration POLL = Duration.ofSeconds(1);

    @Override
    public List<ReceivedMessage> receive(ReceiveCall call) throws InterruptedException {
        Duration left = call.waitTime();
        while (true) {
            Duration wait = left.compareTo(POLL) < 0 ? left : POLL;
            // Without an attempt id, by which the server would repeat an empty response
            var messages =
                    poll(new ReceiveCall(call.queue(), call.maxMessages(), wait, call.visibilityTimeout(), null));
            left = left.minus(wait);
            if (!messages.isEmpty() || left.isZero()) {
                return messages;
            }
        }
    }

    private List<ReceivedMessage> poll(ReceiveCall call) throws InterruptedException {
        var response = new FutureTask<>(() -> client.receive(call));
        Thread.ofVirtual().name("batchsqs-embedded-receive").start(response);
        try {
            return response.get();
        } catch (InterruptedException interrupt) {
            Thread.ofVirtual().name("batchsqs-embedded-return").start(() -> release(call.queue(), response));
            throw interrupt;
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Error error) {
                throw error;
            }
            throw failed.getCause() instanceof RuntimeException unchecked
                    ? unchecked
                    : new IllegalStateException("A receive failed", failed);
        }
    }

    /** After the other polls without a caller have ended, each of which would receive the messages once more. */
    private void release(Queue queue, Future<List<ReceivedMessage>> response) {
        Throwable failure = ForeignCode.run(() -> {
            List<VisibilityChange> changes = response.get().stream()
                    .map(message -> new VisibilityChange(message.receiptHandle(), Duration.ZERO))
                    .toList();
            if (!changes.isEmpty()) {
                Thread.sleep(POLL);
                var ignored = client.changeVisibility(queue, changes);
            }
        });
        if (failure != null) {
            LOG.debug("The server was closed before messages of {} returned", queue.name(), failure);
        }
    }

    @Override
    public List<EntryResult<Void>> delete(Queue queue, List<String> receiptHandles) throws InterruptedException {
        return client.delete(queue, receiptHandles);
    }

    @Override
    public List<EntryResult<Void>> changeVisibility(Queue queue, List<VisibilityChange> changes)
            throws InterruptedException {
        return client.changeVisibility(queue, changes);
    }

    @Override
    public List<EntryResult<SentMessage>> send(Queue queue, List<SendEntry> entries) throws InterruptedException {
        return client.send(queue, entries);
    }
}
