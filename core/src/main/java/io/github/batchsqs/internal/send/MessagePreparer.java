/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.codec.PayloadCodec;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.SqsLimits;
import io.github.batchsqs.payload.OffloadedPayload;
import io.github.batchsqs.payload.PayloadStore;
import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.send.SendResult;
import io.github.batchsqs.send.SenderOptions;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Checks a message, writes its payload and creates its deduplication id; on the calling thread of a send. */
record MessagePreparer(
        PayloadCodec codec,
        SendObserver observer,
        SenderOptions options,
        @Nullable PayloadStore payloads) {

    private static final String NO_QUEUE =
            "There is no default queue: name the queue, or set default-queue (batchsqs.sender.default-queue)";

    MessagePreparer {
        String broken = MessageRules.attributes(options.defaultAttributes());
        Check.that(
                broken == null,
                "batchsqs.sender.default-attributes",
                "must be attributes that SQS takes (" + broken + ")",
                options.defaultAttributes().keySet(),
                "correct them");
    }

    /**
     * Returns the message with the defaults of the options where it names none.
     *
     * @throws SendFailedException if it names no queue, and there is no default
     */
    OutgoingMessage complete(OutgoingMessage message) {
        boolean named = !message.queue().equals(BatchSqsOperations.DEFAULT_QUEUE);
        if (named && options.defaultAttributes().isEmpty()) {
            return message;
        }
        requireValid(message.queue(), named || options.defaultQueue() != null ? null : NO_QUEUE);
        OutgoingMessage.Builder complete =
                message.toBuilder().attributes(options.defaultAttributes()).attributes(message.attributes());
        return (named ? complete : complete.queue(Objects.requireNonNull(options.defaultQueue()))).build();
    }

    /**
     * Returns the queue of a receive.
     *
     * @throws IllegalArgumentException if the receive names none, and there is no default
     */
    String queueOf(String named) {
        if (!named.equals(BatchSqsOperations.DEFAULT_QUEUE)) {
            return named;
        }
        String queue = options.defaultQueue();
        if (queue == null) {
            throw new IllegalArgumentException(NO_QUEUE);
        }
        return queue;
    }

    /**
     * Returns the message for an outbox. The queue is not looked up: its name is the last part of what the message has.
     *
     * @throws SendFailedException if it breaks a rule or cannot be written
     */
    KeptMessage keep(OutgoingMessage message) {
        requireValid(
                message.queue(),
                message.deliverAt() == null || message.delay() == null
                        ? null
                        : "It has a delay and a time of delivery; set one of them");
        var queue = new Queue(SqsLimits.queueName(message.queue()), message.queue());
        Written written = write(message, queue);
        CompletableFuture<SendResult> future = ready(message, written, queue).future; // it checks the size
        return new KeptMessage(
                message.queue(),
                queue.fifo(),
                written.entry,
                message.deliverAt(),
                new KeptFuture(message.queue(), future));
    }

    /**
     * Returns the message, ready to be sent.
     *
     * @throws SendFailedException if it breaks a rule or cannot be written
     */
    BufferedMessage prepare(OutgoingMessage message, Queue queue) {
        requireValid(
                message.queue(),
                message.deliverAt() == null
                        ? null
                        : "A time of delivery needs the outbox: set batchsqs.sender.transactional to outbox and send within a"
                                + " transaction, or set a delay");
        return ready(message, write(message, queue), queue);
    }

    /** The values of a message with the payload as the body, and its observer. */
    private record Written(SendEntry entry, SendObserver.Sending sending) {}

    private Written write(OutgoingMessage message, Queue queue) {
        requireValid(message.queue(), MessageRules.violation(message, queue));
        requireValid(message.queue(), NoPayloads.reason(message.payload()));
        String body = write(message);
        requireValid(message.queue(), NoPayloads.reasonIfEmpty(message.payload(), body));
        requireValid(message.queue(), MessageRules.body(body));
        // A store of payloads makes room: it takes the body, and adds an attribute.
        long bytes = MessageRules.bytes(message.attributes(), payloads == null ? body : "");
        requireValid(message.queue(), MessageRules.size(bytes));
        String deduplicationId = deduplicationId(message, body, queue);
        SendObserver.Sending sending = observer.started(message, queue.name());
        Map<String, MessageAttribute> attributes = AddedHeaders.to(
                message.attributes(),
                sending.headers(),
                SqsLimits.MAX_BYTES - bytes,
                payloads == null ? SqsLimits.MAX_ATTRIBUTES : SqsLimits.MAX_ATTRIBUTES - 1);
        return new Written(
                new SendEntry(body, attributes, message.delay(), message.groupId(), deduplicationId), sending);
    }

    private BufferedMessage ready(OutgoingMessage message, Written written, Queue queue) {
        SendObserver.Sending sending = written.sending;
        try {
            BufferedMessage ready = ready(message.queue(), written.entry, queue);
            if (!sending.equals(SendObserver.Sending.UNOBSERVED)) {
                CompletableFuture<SendResult> ignored = ready.future.whenComplete(sending::ended);
            }
            return ready;
        } catch (SendFailedException e) {
            sending.ended(null, e);
            throw e;
        }
    }

    /**
     * Returns a message of an outbox, ready to be sent; it was checked, and has its deduplication id.
     *
     * @throws SendFailedException if it is too large by now
     */
    BufferedMessage prepare(StoredMessage stored, Queue queue) {
        return ready(stored.queue(), stored.entry(), queue);
    }

    private BufferedMessage ready(String named, SendEntry entry, Queue queue) {
        OffloadedPayload payload = payloads == null ? null : offload(payloads, named, entry, queue);
        SendEntry sent = payload == null
                ? entry
                : new SendEntry(
                        payload.body(), payload.attributes(), entry.delay(), entry.groupId(), entry.deduplicationId());
        long bytes = MessageRules.bytes(sent.attributes(), sent.body());
        requireValid(named, MessageRules.size(bytes));
        return new BufferedMessage(named, sent, bytes, payload);
    }

    private static @Nullable OffloadedPayload offload(
            PayloadStore payloads, String named, SendEntry entry, Queue queue) {
        return foreign(
                named,
                SendFailedException.INVALID_MESSAGE,
                "",
                () -> payloads.offload(
                        queue.name(),
                        entry.body(),
                        entry.attributes(),
                        MessageRules.bytes(entry.attributes(), entry.body())));
    }

    private String write(OutgoingMessage message) {
        String code = SendFailedException.CONVERSION_FAILED;
        String body = foreign(message.queue(), code, "", () -> codec.write(message.payload()));
        if (body == null) {
            throw Refusals.before(message.queue(), code, "the codec wrote null", false, null);
        }
        return body;
    }

    private @Nullable String deduplicationId(OutgoingMessage message, String body, Queue queue) {
        if (!queue.fifo() || message.deduplicationId() != null) {
            return message.deduplicationId();
        }
        String made = foreign(
                message.queue(),
                SendFailedException.INVALID_MESSAGE,
                "No deduplication id could be made: ",
                () -> options.deduplication().idOf(message, body));
        requireValid(message.queue(), MessageRules.deduplicationId(made));
        return made;
    }

    /** Calls code of the application; a failure of it fails the message. */
    private static <T> @Nullable T foreign(
            String queue, String code, String words, Callable<? extends @Nullable T> call) {
        ForeignCode.Outcome<T> outcome = ForeignCode.call(call);
        Throwable failure = outcome.failure();
        if (failure != null) {
            throw Refusals.before(queue, code, words + reason(failure), false, failure);
        }
        return outcome.value();
    }

    private static String reason(Throwable e) {
        return e instanceof Error ? e.toString() : String.valueOf(e.getMessage());
    }

    private static void requireValid(String queue, @Nullable String violation) {
        if (violation != null) {
            throw Refusals.before(queue, SendFailedException.INVALID_MESSAGE, violation, false, null);
        }
    }
}
