/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import io.github.batchsqs.BatchSqsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages in batches: a batch goes out when it has ten messages, or when the next would exceed the byte limit, or
 * when its first has waited for {@code linger}; meanwhile the next one forms. The table of contents of the send path.
 *
 * <p>On a FIFO queue a message group has one batch in flight at most, groups go in parallel, and a batch may carry several
 * groups. A message that is tried again holds back its group, so nothing overtakes it. One case remains: SQS refuses a
 * message and takes a later one of the same group by the same call. The refused one then fails with
 * {@link SendFailedException#OUT_OF_ORDER}, because to send it again would reorder the group.
 *
 * <p>A message fails when SQS refuses it for good, or when {@code delivery-timeout} passes, whatever the server does. The
 * memory that waiting messages take is bounded by {@code buffer-bytes}.
 */
public final class BatchSqsTemplate implements BatchSqsOperations, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(BatchSqsTemplate.class);

    /** How many messages {@link #sendAll} hands on at once. */
    private static final int CHUNK = 100;

    private final SenderOptions options;
    private final MessagePreparer preparer;
    private final SendBinding binding;
    private final SendBuffer buffer;
    private final QueueSenders senders;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Makes a template; nothing runs before the first message. */
    public BatchSqsTemplate(SenderOptions options, SenderResources resources) {
        this.options = options;
        this.preparer = new MessagePreparer(resources.codec(), resources.observer(), options);
        this.binding = resources.binding();
        this.buffer = new SendBuffer(options.buffer());
        this.senders = new QueueSenders(
                resources.resolver(),
                queue -> new QueueSender(
                        queue,
                        options,
                        resources.client(),
                        resources.events().apply(queue.name()),
                        resources.time(),
                        buffer));
    }

    @Override
    public CompletableFuture<SendResult> send(String queue, Object payload) {
        return send(OutgoingMessage.of(queue, payload));
    }

    @Override
    public CompletableFuture<SendResult> send(OutgoingMessage message) {
        try {
            QueueSender sender = senderTo(message);
            BufferedMessage ready = prepare(message, sender);
            if (binding.active()) {
                binding.bind(() -> handOnBound(ready, sender), () -> abandon(ready, sender));
            } else {
                takeRoom(ready, sender);
                sender.add(List.of(ready));
            }
            return ready.promise;
        } catch (SendFailedException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public SendResult sendAndWait(String queue, Object payload) throws InterruptedException {
        return sendAndWait(OutgoingMessage.of(queue, payload));
    }

    @Override
    public SendResult sendAndWait(OutgoingMessage message) throws InterruptedException {
        requireUnbound("sendAndWait");
        try {
            return send(message).get();
        } catch (ExecutionException e) {
            SendFailedException cause = causeOf(e, message);
            if (cause.code().equals(SendFailedException.INTERRUPTED) && Thread.interrupted()) {
                throw interrupted(cause);
            }
            throw cause;
        }
    }

    @Override
    public SendResults sendAll(String queue, Collection<?> payloads) throws InterruptedException {
        List<OutgoingMessage> messages = new ArrayList<>(payloads.size());
        payloads.forEach(payload -> messages.add(OutgoingMessage.of(queue, payload)));
        return sendAll(messages);
    }

    @Override
    public SendResults sendAll(Collection<OutgoingMessage> messages) throws InterruptedException {
        requireUnbound("sendAll");
        List<OutgoingMessage> all = List.copyOf(messages);
        List<CompletableFuture<SendResult>> promises = new ArrayList<>(all.size());
        Gathering gathering = new Gathering();
        try {
            for (OutgoingMessage message : all) {
                if (Thread.interrupted()) {
                    throw new InterruptedException("Interrupted after " + promises.size() + " of " + all.size());
                }
                promises.add(gathering.add(message));
            }
        } finally {
            gathering.handOn();
        }
        return resultsOf(all, promises);
    }

    @Override
    public CompletableFuture<Void> flush() {
        return CompletableFuture.allOf(
                senders.all().stream().map(QueueSender::flush).toArray(CompletableFuture<?>[]::new));
    }

    /** How many bytes of the buffer are taken. */
    public long bufferedBytes() {
        return buffer.taken();
    }

    /** Closes within {@code shutdown-timeout}; see {@link #close(Duration)}. */
    @Override
    public void close() {
        close(options.shutdownTimeout());
    }

    /**
     * Refuses new messages, sends what is buffered, and waits for it up to the timeout. What is left then fails with
     * {@link SendFailedException#CLOSED}; the futures of a call that is answered at that very moment complete on its own thread,
     * perhaps just after this returns. An interrupt ends the wait. A second call does nothing.
     */
    public void close(Duration timeout) {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            flush().get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            log.warn(
                    "Closed with messages that were not sent within {}; their futures fail with the code {}",
                    timeout,
                    SendFailedException.CLOSED);
        } catch (InterruptedException e) {
            log.warn("Interrupted while closing; the futures of messages not yet sent fail");
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            log.warn("Flushing failed; the futures of messages not yet sent fail", e);
        } finally {
            senders.close();
        }
    }

    private void requireUnbound(String method) {
        if (binding.active()) {
            throw new IllegalStateException(method
                    + " waits for SQS's answer, but messages of this thread go out only when"
                    + " its transaction has committed; use send, or call " + method + " outside of the transaction");
        }
    }

    private void handOnBound(BufferedMessage ready, QueueSender sender) {
        try {
            takeRoom(ready, sender);
            sender.add(List.of(ready));
        } catch (SendFailedException e) {
            log.debug("A message of a committed transaction was not taken; its future has failed", e);
        }
    }

    private static void abandon(BufferedMessage ready, QueueSender sender) {
        sender.events().refused(SendFailedException.NOT_COMMITTED);
        ready.promise.completeExceptionally(SendFailedException.before(
                ready.message,
                SendFailedException.NOT_COMMITTED,
                "The transaction that it was bound to did not commit, or its end is not known",
                true,
                null));
    }

    private QueueSender senderTo(OutgoingMessage message) {
        requireOpen(message);
        try {
            QueueSender sender = senders.of(message.queue());
            if (sender == null) {
                throw closed(message);
            }
            return sender;
        } catch (InterruptedException e) {
            throw interrupted(message, e);
        } catch (SendFailedException e) {
            throw e;
        } catch (RuntimeException e) {
            throw SendFailedException.before(
                    message,
                    SendFailedException.QUEUE_UNAVAILABLE,
                    String.valueOf(e.getMessage()),
                    e instanceof BatchSqsException known && known.retryable(),
                    e);
        }
    }

    private BufferedMessage prepare(OutgoingMessage message, QueueSender sender) {
        try {
            return preparer.prepare(message, sender.queue());
        } catch (SendFailedException e) {
            sender.events().refused(e.code());
            throw e;
        }
    }

    private void takeRoom(BufferedMessage ready, QueueSender sender) {
        try {
            awaitRoom(ready, sender);
        } catch (SendFailedException e) {
            boolean ignored = ready.promise.completeExceptionally(e); // tells whoever watches it
            throw e;
        }
    }

    private void awaitRoom(BufferedMessage ready, QueueSender sender) {
        OutgoingMessage message = ready.message;
        boolean taken;
        try {
            taken = buffer.take(ready.bytes);
        } catch (InterruptedException e) {
            sender.events().refused(SendFailedException.INTERRUPTED);
            throw interrupted(message, e);
        }
        if (!taken) {
            sender.events().refused(SendFailedException.BUFFER_FULL);
            throw SendFailedException.before(
                    message,
                    SendFailedException.BUFFER_FULL,
                    "The buffer (buffer-bytes: " + options.buffer().bytes() + ") was full for max-block ("
                            + options.buffer().maxBlock() + "): messages come faster than SQS takes them. Send slower,"
                            + " or raise max-in-flight, buffer-bytes or max-block",
                    true,
                    null);
        }
        if (closed.get()) {
            buffer.giveBack(ready.bytes);
            throw closed(message);
        }
    }

    private void requireOpen(OutgoingMessage message) {
        if (closed.get()) {
            throw closed(message);
        }
    }

    private static SendFailedException closed(OutgoingMessage message) {
        return SendFailedException.before(message, SendFailedException.CLOSED, "The template is closed", true, null);
    }

    private static SendFailedException interrupted(OutgoingMessage message, InterruptedException e) {
        Thread.currentThread().interrupt();
        return SendFailedException.before(
                message, SendFailedException.INTERRUPTED, "The thread was interrupted before it was taken", true, e);
    }

    private static InterruptedException interrupted(SendFailedException cause) {
        InterruptedException interrupted = new InterruptedException(cause.getMessage());
        interrupted.initCause(cause);
        return interrupted;
    }

    private static SendResults resultsOf(List<OutgoingMessage> messages, List<CompletableFuture<SendResult>> promises)
            throws InterruptedException {
        List<SendResults.Sent> sent = new ArrayList<>(messages.size());
        List<SendResults.Failed> failed = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            OutgoingMessage message = messages.get(i);
            try {
                sent.add(new SendResults.Sent(message, promises.get(i).get()));
            } catch (ExecutionException e) {
                failed.add(new SendResults.Failed(message, causeOf(e, message)));
            }
        }
        return new SendResults(sent, failed);
    }

    private static SendFailedException causeOf(ExecutionException e, OutgoingMessage message) {
        return e.getCause() instanceof SendFailedException cause
                ? cause
                : SendFailedException.before(message, "Unknown", String.valueOf(e.getCause()), false, e.getCause());
    }

    /** Messages that are handed on together, so that they fill batches however long each took to write. */
    private final class Gathering {

        private final Map<QueueSender, List<BufferedMessage>> bySender = new LinkedHashMap<>();
        private int gathered;

        CompletableFuture<SendResult> add(OutgoingMessage message) {
            try {
                QueueSender sender = senderTo(message);
                BufferedMessage ready = prepare(message, sender);
                if (!buffer.tryTake(ready.bytes)) {
                    // What is gathered holds room that is given back only once it is sent.
                    handOn();
                    takeRoom(ready, sender);
                }
                bySender.computeIfAbsent(sender, key -> new ArrayList<>()).add(ready);
                if (++gathered == CHUNK) {
                    handOn();
                }
                return ready.promise;
            } catch (SendFailedException e) {
                return CompletableFuture.failedFuture(e);
            } catch (InterruptedException e) {
                return CompletableFuture.failedFuture(interrupted(message, e));
            }
        }

        void handOn() {
            bySender.forEach(QueueSender::add);
            bySender.clear();
            gathered = 0;
        }
    }
}
