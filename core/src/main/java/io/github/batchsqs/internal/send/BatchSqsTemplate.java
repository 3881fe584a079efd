/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.events.SenderEvent;
import io.github.batchsqs.internal.pull.Puller;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.TimerThreads;
import io.github.batchsqs.pull.PulledMessages;
import io.github.batchsqs.pull.ReceiveRequest;
import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.send.SendResult;
import io.github.batchsqs.send.SendResults;
import io.github.batchsqs.send.SenderOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages in batches, and receives some for callers that ask for them. A batch is sent when it has ten messages, when the
 * next message would exceed the byte limit, or when its first message has waited for {@code linger}. Meanwhile, further messages form the next batch.
 *
 * <p>On a FIFO queue a message group has at most one batch in flight. Different groups are sent in parallel, and a batch may
 * contain several groups. A message that is retried delays the later messages of its group, so none overtakes it. There is one
 * exception: SQS refuses a message and accepts a later one of the same group in the same call. The refused message then fails
 * with {@link SendFailedException#OUT_OF_ORDER}, because sending it again would reorder the group.
 *
 * <p>A message fails when SQS refuses it permanently, or when {@code delivery-timeout} passes. The memory of waiting messages
 * is limited by {@code buffer-bytes}.
 *
 * <p>Safe for use by any thread. Futures complete on the sender's own threads.
 */
public final class BatchSqsTemplate implements BatchSqsOperations, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(BatchSqsTemplate.class);

    /** The maximum time at the end of a close in which no call begins. A fifth of the timeout applies if that is less. */
    private static final Duration MAX_FOR_RESPONSES = Duration.ofSeconds(1);

    private final SenderOptions options;
    private final Function<String, SenderResources> clients;
    private final MessagePreparer preparer;
    private final SendBinding binding;
    private final SendBuffer buffer;
    private final QueueEvents events;
    private final QueueLookUps lookUps;
    private final QueueSenders senders;
    private final Puller puller;
    private final AtomicBoolean closed;

    /** The templates of the named clients, one per client: two would break the order of message groups. */
    private final ConcurrentMap<String, BatchSqsTemplate> named = new ConcurrentHashMap<>();

    /** The template whose {@link #client} returned this one; {@code null} for that template. */
    private final @Nullable BatchSqsTemplate main;

    /**
     * Creates a template without named clients; no thread starts before the first message.
     *
     * @param options the options of all queues
     * @param resources the client, the codec and the hooks
     */
    public BatchSqsTemplate(SenderOptions options, SenderResources resources) {
        this(options, resources, name -> {
            throw new UnsupportedOperationException(
                    "This template has no named clients, so there is no client '" + name + "'");
        });
    }

    /**
     * Creates a template; no thread starts before the first message.
     *
     * @param options the options of all queues
     * @param resources the client, the codec and the hooks
     * @param clients makes the resources of a named client when {@link #client} is called with its name for the first time,
     *     on the caller's thread. Each client needs a {@link SendBinding} of its own
     */
    public BatchSqsTemplate(
            SenderOptions options, SenderResources resources, Function<String, SenderResources> clients) {
        this(options, resources, clients, null);
    }

    private BatchSqsTemplate(
            SenderOptions options,
            SenderResources resources,
            Function<String, SenderResources> clients,
            @Nullable BatchSqsTemplate main) {
        this.options = options;
        this.clients = clients;
        this.main = main;
        this.closed = main == null ? new AtomicBoolean() : main.closed;
        this.preparer = new MessagePreparer(resources.codec(), resources.observer(), options, resources.payloads());
        this.binding = resources.binding();
        this.buffer = new SendBuffer(options.buffer());
        this.events = new QueueEvents(resources.events(), resources.time());
        this.lookUps = new QueueLookUps(resources.resolver(), options, events, resources.time());
        TimerThreads timers = SenderThreads.timers();
        this.senders = new QueueSenders(
                lookUps,
                queue -> new QueueSender(
                        queue,
                        options,
                        resources.client(),
                        events.ofFound(queue.name()),
                        resources.time(),
                        buffer,
                        timers,
                        resources.payloads()));
        this.puller = new Puller(
                resources.client(),
                resources.codec(),
                events::ofFound,
                resources.time(),
                SenderThreads::start,
                resources.payloads(),
                ConcurrentHashMap.newKeySet());
    }

    @Override
    public CompletableFuture<SendResult> send(OutgoingMessage message) {
        try {
            OutgoingMessage complete = complete(message);
            return binding.stores() ? keep(complete) : buffer(complete);
        } catch (SendFailedException e) {
            binding.failed(e);
            return refused(e);
        }
    }

    /** Keeps a message for the outbox. Needs neither SQS nor room in the buffer: its transaction commits by the database alone. */
    private CompletableFuture<SendResult> keep(OutgoingMessage message) {
        KeptMessage kept = preparer.keep(message);
        binding.store(kept);
        return kept.future().future();
    }

    private CompletableFuture<SendResult> buffer(OutgoingMessage message) {
        BoundMessages bound = binding.active() ? binding.bound(() -> new BoundMessages(patience())) : null;
        Patience patience = bound == null ? patience() : bound.patience;
        QueueSender sender = senders.of(message.queue(), patience);
        BufferedMessage ready = preparer.prepare(message, sender.queue());
        buffer.reserve(ready, patience);
        if (bound != null) {
            bound.add(sender, ready);
        } else {
            sender.add(List.of(ready));
        }
        return ready.future;
    }

    private Patience patience() {
        return new Patience(options.buffer().maxBlock());
    }

    /** Counts a message that was refused before it was buffered. */
    private CompletableFuture<SendResult> refused(SendFailedException failure) {
        events.of(failure.queue()).on(new SenderEvent.Refused(failure.code()));
        return CompletableFuture.failedFuture(failure);
    }

    @Override
    public SendResult sendAndWait(OutgoingMessage message) throws InterruptedException {
        requireUnbound("sendAndWait");
        try {
            return send(message).get();
        } catch (ExecutionException e) {
            SendFailedException cause = causeOf(e);
            if (cause.code().equals(SendFailedException.INTERRUPTED) && Thread.interrupted()) {
                throw interrupted(cause);
            }
            throw cause;
        }
    }

    @Override
    public boolean sendsAfterCommit() {
        return binding.active();
    }

    @Override
    public SendResults sendAll(Collection<OutgoingMessage> messages) throws InterruptedException {
        requireUnbound("sendAll");
        List<OutgoingMessage> all = List.copyOf(messages);
        List<CompletableFuture<SendResult>> futures = new ArrayList<>(all.size());
        Gathering gathering = new Gathering(senders, preparer, buffer, this::patience);
        try {
            for (OutgoingMessage message : all) {
                if (Thread.interrupted()) {
                    throw new InterruptedException("Interrupted after " + futures.size() + " of " + all.size());
                }
                futures.add(add(() -> gathering.add(complete(message))));
            }
        } finally {
            gathering.handOn();
        }
        return results(all, futures);
    }

    /** Waits for all messages, and returns the result of each. */
    private static SendResults results(List<OutgoingMessage> messages, List<CompletableFuture<SendResult>> futures)
            throws InterruptedException {
        List<SendResults.Sent> sent = new ArrayList<>(messages.size());
        List<SendResults.Failed> failed = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            OutgoingMessage message = messages.get(i);
            try {
                sent.add(new SendResults.Sent(message, futures.get(i).get()));
            } catch (ExecutionException e) {
                failed.add(new SendResults.Failed(message, causeOf(e)));
            }
        }
        if (!failed.isEmpty()) { // the caller may not look
            SendResults.Failed first = failed.getFirst();
            log.warn(
                    "sendAll: {} of {} messages failed, the first one to {}: {}",
                    failed.size(),
                    messages.size(),
                    first.message().queue(),
                    first.cause().getMessage());
        }
        return new SendResults(sent, failed);
    }

    /** Returns why a message failed whose future nobody else completes. */
    private static SendFailedException causeOf(ExecutionException e) {
        return (SendFailedException) Objects.requireNonNull(e.getCause());
    }

    /**
     * Sends messages that an {@link Outbox} stored, and does not wait for the responses. A transaction of the thread, the codec and
     * the observer do not matter. If a message fails and {@linkplain Outbox#isSentAgain is sent again later}, those behind it with
     * its ordering key fail, too, instead of overtaking it.
     *
     * @param client the name of the client that sends them
     * @param messages the messages, with the bodies and deduplication ids that they were stored with
     * @return the futures of the results, in the order of the messages; each fails with {@link SendFailedException}
     * @throws RuntimeException if there is no such client
     */
    public List<CompletableFuture<SendResult>> sendStored(String client, List<StoredMessage> messages) {
        BatchSqsTemplate template = client.equals(QueueClient.DEFAULT_NAME) ? this : named(client);
        Patience patience = template.patience(); // one for all: the first is settled when the last no longer waits
        Gathering gathering = new Gathering(template.senders, template.preparer, template.buffer, () -> patience);
        List<CompletableFuture<SendResult>> futures = new ArrayList<>(messages.size());
        for (StoredMessage message : messages) {
            futures.add(template.add(() -> {
                template.requireOpen(message.queue());
                return gathering.add(message);
            }));
        }
        gathering.handOn();
        return futures;
    }

    private CompletableFuture<SendResult> add(Supplier<CompletableFuture<SendResult>> gathered) {
        try {
            return gathered.get();
        } catch (SendFailedException e) {
            return refused(e);
        }
    }

    /** Returns the message with the defaults of this template where it names none. */
    private OutgoingMessage complete(OutgoingMessage message) {
        OutgoingMessage complete = preparer.complete(message);
        requireOpen(complete.queue());
        return complete;
    }

    private void requireOpen(String queue) {
        if (closed.get()) {
            throw Refusals.closed(queue);
        }
    }

    @Override
    public <T> PulledMessages<T> receive(ReceiveRequest<T> request) throws InterruptedException {
        String reference = preparer.queueOf(request.queue());
        if (closed.get()) {
            throw new IllegalStateException("The template is closed: it receives nothing more");
        }
        return puller.receive(lookUps.find(reference, patience()), request);
    }

    @Override
    public BatchSqsOperations client(String name) {
        if (main != null) {
            return main.client(name);
        }
        return name.equals(QueueClient.DEFAULT_NAME) ? this : named(name);
    }

    private BatchSqsTemplate named(String client) {
        return named.computeIfAbsent(client, name -> new BatchSqsTemplate(options, clients.apply(name), clients, this));
    }

    @Override
    public CompletableFuture<Void> flush() {
        return flush(all());
    }

    private static CompletableFuture<Void> flush(List<BatchSqsTemplate> templates) {
        CompletableFuture<Void> sent = CompletableFuture.allOf(templates.stream()
                .flatMap(each -> each.senders.all().stream().map(QueueSender::flush))
                .toArray(CompletableFuture<?>[]::new));
        return sent.thenCompose(done -> CompletableFuture.allOf( // what callbacks of sends have settled is among them
                templates.stream().map(each -> each.puller.flush()).toArray(CompletableFuture<?>[]::new)));
    }

    /** Returns this template and those of its named clients. */
    private List<BatchSqsTemplate> all() {
        return Stream.concat(Stream.of(this), named.values().stream()).toList();
    }

    /** {@return the number of bytes that messages occupy in the buffer of this client} Any thread may call this method. */
    public long bufferedBytes() {
        return buffer.taken();
    }

    /** Closes within {@code shutdown-timeout}; see {@link #close(Duration)}. */
    @Override
    public void close() {
        close(options.shutdownTimeout());
    }

    /**
     * Refuses new messages, those of all named clients included, sends the buffered ones, and waits for SQS's responses up to the
     * timeout. It does not wait for an open receive. In the last second (or the last fifth of the timeout, if
     * that is less) no more sends begin, so that calls in flight can end. The remaining messages fail with {@link
     * SendFailedException#CLOSED}; {@link SendFailedException#delivery()} returns whether the message was never sent or may have
     * been accepted. These futures complete on call threads, possibly shortly after this method returns. An interrupt ends the
     * wait. A second call does nothing, nor does one on the template of a named client: the template that returned it closes it.
     *
     * @param timeout the maximum duration of the wait
     */
    public void close(Duration timeout) {
        List<BatchSqsTemplate> closing = main == null && closed.compareAndSet(false, true) ? all() : List.of();
        long nanos = timeout.toNanos();
        long deadline = System.nanoTime() + nanos;
        long forResponses = Math.min(MAX_FOR_RESPONSES.toNanos(), nanos / 5);
        try {
            if (!flushedBy(closing, deadline - forResponses)) {
                closing.forEach(each -> each.senders.all().forEach(QueueSender::endSending));
                if (!flushedBy(closing, deadline)) {
                    log.warn(
                            "Closed before SQS had responded to all messages within {}; the futures of the others fail"
                                    + " with the code {}, and report whether SQS may have accepted the message",
                            Check.text(timeout),
                            SendFailedException.CLOSED);
                }
            }
        } catch (InterruptedException e) {
            log.warn("Interrupted while closing; the futures of messages without a response of SQS fail");
            Thread.currentThread().interrupt();
        } finally {
            closing.forEach(each -> each.senders.close());
        }
    }

    private static boolean flushedBy(List<BatchSqsTemplate> templates, long deadline) throws InterruptedException {
        try {
            flush(templates).get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("A flush does not fail", e);
        }
    }

    private void requireUnbound(String method) {
        if (binding.active()) {
            throw new IllegalStateException(method
                    + " waits for SQS's response, but messages of this thread are sent only when"
                    + " its transaction has committed; use send, or call " + method + " outside of the transaction");
        }
    }

    private static InterruptedException interrupted(SendFailedException cause) {
        InterruptedException interrupted = new InterruptedException(cause.getMessage());
        interrupted.initCause(cause);
        return interrupted;
    }
}
