/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.pull.PulledMessage;
import io.github.batchsqs.pull.PulledMessages;
import io.github.batchsqs.pull.ReceiveRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Sends messages in batches, and receives some when a caller asks for them: in tests and tools. Listeners receive steadily.
 *
 * <p>A queue is a name, URL or ARN, or {@link #DEFAULT_QUEUE}. The codec writes payloads: objects as JSON, text unchanged. Safe for use by any number of
 * threads. Messages that one thread sends to one message group of a FIFO queue keep their order.
 *
 * <p>A failure of a message, before or after it was sent, fails its future with {@link SendFailedException}; only
 * {@link #sendAndWait} throws it. Cancelling a future does not cancel the send of its message.
 *
 * <p>Futures complete on virtual threads of the sender, without any lock and never on a timer; those of one call to SQS
 * complete in order. A callback may block: it may send, flush and wait for any other future, also for a later one of the same
 * call, because another thread completes the rest after up to half a second.
 */
public interface BatchSqsOperations {

    /** Stands for the queue of {@link SenderOptions#defaultQueue()} wherever a queue is named; not a valid name of a queue. */
    String DEFAULT_QUEUE = "(default)";

    /**
     * Sends a payload.
     *
     * <p>Blocks for at most {@code max-block}: until the queue is found, when it is used for the first time, and while the
     * buffer is full. After that time the future fails, and later messages look the queue up again, at most once a second. An
     * interrupt meanwhile fails the future, and the thread stays interrupted.
     *
     * @param queue the queue's name, URL or ARN
     * @param payload the object that the codec writes as the body; a message (an {@link OutgoingMessage}, a received one, one of
     *     Spring or of the AWS SDK), a future, a stream, an iterator, a thread and an object without properties are refused
     * @return the future of the result; fails with {@link SendFailedException}
     */
    default CompletableFuture<SendResult> send(String queue, Object payload) {
        return send(OutgoingMessage.of(queue, payload));
    }

    /**
     * Sends a payload to the default queue; see {@link #send(String, Object)}.
     *
     * @param payload the object that the codec writes as the body
     * @return the future of the result; fails with {@link SendFailedException}, also if there is no default queue
     */
    default CompletableFuture<SendResult> sendDefault(Object payload) {
        return send(DEFAULT_QUEUE, payload);
    }

    /**
     * Sends a message; see {@link #send(String, Object)}.
     *
     * @param message the message
     * @return the future of the result; fails with {@link SendFailedException}
     */
    CompletableFuture<SendResult> send(OutgoingMessage message);

    /**
     * Sends a payload and waits for SQS's response: at most {@code max-block} until the message is buffered, and at most
     * {@code delivery-timeout} from then on.
     *
     * <p>Messages of many threads share batches. The message of a single thread waits for the linger alone, so prefer {@link
     * #sendAll} for several messages. For virtual threads.
     *
     * @param queue the queue's name, URL or ARN
     * @param payload the object that the codec writes as the body
     * @return the ids that SQS assigned
     * @throws SendFailedException if SQS did not accept the message, or no response confirms it
     * @throws InterruptedException if the thread was interrupted; the message may still be sent
     */
    default SendResult sendAndWait(String queue, Object payload) throws InterruptedException {
        return sendAndWait(OutgoingMessage.of(queue, payload));
    }

    /**
     * Sends a message and waits for SQS's response; see {@link #sendAndWait(String, Object)}.
     *
     * @param message the message
     * @return the ids that SQS assigned
     * @throws InterruptedException if the thread was interrupted; the message may still be sent
     */
    SendResult sendAndWait(OutgoingMessage message) throws InterruptedException;

    /**
     * Returns whether messages of the calling thread are sent only when its transaction has committed, so that a wait for SQS's
     * response within the transaction would never end. Code that waits for the future of {@link #send} asks first.
     *
     * @return {@code false} unless the thread has a transaction that these operations are bound to
     */
    default boolean sendsAfterCommit() {
        return false;
    }

    /**
     * Sends payloads in full batches and waits for all responses. Waits once for a queue that cannot be found, at most {@code
     * max-block}, and fails all messages to it.
     *
     * @param queue the queue's name, URL or ARN
     * @param payloads the objects that the codec writes as bodies
     * @return a result for each message, also when some or all failed: a line of the log then has their number and the first cause
     * @throws InterruptedException if the thread was interrupted; the messages buffered so far may still be sent
     */
    default SendResults sendAll(String queue, Collection<?> payloads) throws InterruptedException {
        List<OutgoingMessage> messages = new ArrayList<>(payloads.size());
        payloads.forEach(payload -> messages.add(OutgoingMessage.of(queue, payload)));
        return sendAll(messages);
    }

    /**
     * Sends messages, to one queue or several; see {@link #sendAll(String, Collection)}.
     *
     * @param messages the messages, sent in this order
     * @return a result for each message, also when some or all failed
     * @throws InterruptedException if the thread was interrupted; the messages buffered so far may still be sent
     */
    SendResults sendAll(Collection<OutgoingMessage> messages) throws InterruptedException;

    /**
     * Receives up to ten messages by one call to SQS, which waits for the first; see {@link ReceiveRequest}. For more messages, receive
     * again.
     *
     * <p>Nothing is deleted unless it is {@linkplain PulledMessage#acknowledge() acknowledged}. A message that is neither
     * acknowledged nor {@linkplain PulledMessage#release() released} is delivered again when its visibility timeout ends. An
     * interrupt ends the call at once on a virtual thread; on a platform thread the call ends first, which may take its wait of up to
     * 20 s. Messages that it still brings are returned, and the thread stays interrupted.
     *
     * @param <T> the payload type
     * @param request the queue, the payload type, the maximum number of messages, and how long to wait
     * @return the messages; empty if there were none
     * @throws io.github.batchsqs.client.QueueNotFoundException if there is no such queue
     * @throws io.github.batchsqs.client.QueueCallException if SQS refuses the receive, or three attempts fail
     * @throws IllegalStateException if the template is closed
     * @throws IllegalArgumentException if the request names the default queue, and there is none
     * @throws UnsupportedOperationException if these operations do not receive
     * @throws InterruptedException if the thread was interrupted
     */
    default <T> PulledMessages<T> receive(ReceiveRequest<T> request) throws InterruptedException {
        throw new UnsupportedOperationException("These operations do not receive");
    }

    /**
     * Receives up to ten messages, and waits for up to 10 s; see {@link #receive(ReceiveRequest)}.
     *
     * @param <T> the payload type
     * @param queue the queue's name, URL or ARN
     * @param payloadType the type of the payloads
     * @return the messages; empty if there were none
     * @throws InterruptedException if the thread was interrupted
     */
    default <T> PulledMessages<T> receive(String queue, Class<T> payloadType) throws InterruptedException {
        return receive(ReceiveRequest.of(queue, payloadType));
    }

    /**
     * Receives up to ten messages whose payloads are text, and waits for up to 10 s; see {@link #receive(ReceiveRequest)}.
     *
     * @param queue the queue's name, URL or ARN
     * @return the messages; empty if there were none
     * @throws InterruptedException if the thread was interrupted
     */
    default PulledMessages<String> receive(String queue) throws InterruptedException {
        return receive(ReceiveRequest.of(queue, String.class));
    }

    /**
     * Receives one message, and waits for up to 10 s; see {@link #receive(ReceiveRequest)}.
     *
     * @param <T> the payload type
     * @param queue the queue's name, URL or ARN
     * @param payloadType the type of the payload
     * @return the message; empty if there was none
     * @throws InterruptedException if the thread was interrupted
     */
    default <T> Optional<PulledMessage<T>> receiveOne(String queue, Class<T> payloadType) throws InterruptedException {
        return receiveOne(ReceiveRequest.of(queue, payloadType));
    }

    /**
     * Receives one message; see {@link #receive(ReceiveRequest)}.
     *
     * @param <T> the payload type
     * @param request the queue, the payload type, and how long to wait; its number of messages does not matter
     * @return the message; empty if there was none
     * @throws InterruptedException if the thread was interrupted
     */
    default <T> Optional<PulledMessage<T>> receiveOne(ReceiveRequest<T> request) throws InterruptedException {
        return receive(request.maxMessages(1)).stream().findFirst();
    }

    /**
     * Returns operations that use a named client, for queues of another account or region. They have the same options
     * and a buffer of their own. Repeated calls return the same object.
     *
     * @param name the name of the client; {@code default} for the client without a name
     * @return the operations of that client; the template closes them
     * @throws InvalidOptionException if there is no client of this name
     * @throws UnsupportedOperationException if these operations have no named clients
     */
    default BatchSqsOperations client(String name) {
        throw new UnsupportedOperationException("These operations have no named clients");
    }

    /**
     * Sends all waiting messages without linger, those of all named clients included. Operations that {@link #client}
     * returned send only their own. Messages that wait for the end of a transaction, or in the outbox, are not included.
     *
     * @return a future that completes normally once every message sent before this call has succeeded or failed and the
     *     callbacks of its future have run, and once the deletes and visibility changes of received messages have ended. Called
     *     from such a callback, it does not wait for the other messages of the same call to SQS
     */
    CompletableFuture<Void> flush();
}
