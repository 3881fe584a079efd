/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.BatchListener;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.receive.delivery.MessageMemory;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.internal.sdk.AwsQueueResolver;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.ElasticMqServer;
import io.github.batchsqs.testkit.FreezableTime;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * A queue of a test's own on the shared server, perhaps with a dead-letter queue, and the listeners on it. Closing it
 * stops the listeners.
 */
final class TestQueue implements AutoCloseable {

    private static final ElasticMqServer SERVER = ElasticMqServer.shared();
    private static final Backoff SHORT = Backoff.exponential(Duration.ofNanos(1), Duration.ofNanos(1));

    final CountedEvents events = new CountedEvents();
    /** The clock of the listeners. */
    final FreezableTime time = new FreezableTime();

    final Map<String, Throwable> failures = new ConcurrentHashMap<>();
    private final Queue queue;
    private final @Nullable Queue deadLetterQueue;
    private final List<EngineContainer> containers = new CopyOnWriteArrayList<>();

    private TestQueue(Queue queue, @Nullable Queue deadLetterQueue) {
        this.queue = queue;
        this.deadLetterQueue = deadLetterQueue;
    }

    // ---- making it

    /** A standard queue with SQS's visibility timeout of 30 s. */
    static TestQueue standard() {
        return standard(Duration.ofSeconds(30));
    }

    static TestQueue standard(Duration visibility) {
        return new TestQueue(SERVER.createQueue(attributes(visibility)), null);
    }

    static TestQueue standardWithDeadLetters(Duration visibility, int maxReceiveCount) {
        Queue deadLetters = SERVER.createQueue(Map.of());
        return new TestQueue(
                SERVER.createQueue(withRedrive(attributes(visibility), deadLetters, maxReceiveCount)), deadLetters);
    }

    /** A FIFO queue with SQS's visibility timeout of 30 s. */
    static TestQueue fifo() {
        return new TestQueue(SERVER.createFifoQueue(attributes(Duration.ofSeconds(30))), null);
    }

    private static Map<QueueAttributeName, String> attributes(Duration visibility) {
        Map<QueueAttributeName, String> attributes = new HashMap<>();
        attributes.put(QueueAttributeName.VISIBILITY_TIMEOUT, Long.toString(visibility.toSeconds()));
        return attributes;
    }

    private static Map<QueueAttributeName, String> withRedrive(
            Map<QueueAttributeName, String> attributes, Queue deadLetters, int maxReceiveCount) {
        String arn = attribute(deadLetters, QueueAttributeName.QUEUE_ARN);
        attributes.put(
                QueueAttributeName.REDRIVE_POLICY,
                "{\"deadLetterTargetArn\":\"" + arn + "\",\"maxReceiveCount\":\"" + maxReceiveCount + "\"}");
        return attributes;
    }

    Queue queue() {
        return queue;
    }

    // ---- its listeners

    /** Makes and starts a listener that reads bodies as text. */
    EngineContainer listen(UnaryOperator<ListenerOptions.Builder> options, BatchListener<String> listener) {
        EngineContainer container = container(options, listener);
        container.start();
        return container;
    }

    /** Makes a listener that reads bodies as text. */
    EngineContainer container(UnaryOperator<ListenerOptions.Builder> options, BatchListener<String> listener) {
        return container(options, ReceivedMessage::body, listener);
    }

    /** Makes a listener; short polls and a short backoff, unless the options say otherwise. */
    <T> EngineContainer container(
            UnaryOperator<ListenerOptions.Builder> options,
            Function<ReceivedMessage, T> reader,
            BatchListener<T> listener) {
        ListenerOptions.Builder defaults = ListenerOptions.builder("orders", queue.name())
                .waitTime(Duration.ofSeconds(2))
                .pollers(1, 8)
                .failure(retrySoon());
        ErrorHook hook = (name, message, cause) -> failures.put(message.body(), cause);
        EngineContainer container = new EngineContainer(
                options.apply(defaults).build(),
                new ListenerHandler<>(reader, listener, List.of(), hook),
                new ListenerResources(
                        SERVER.queueClient(),
                        new AwsQueueResolver(SERVER.client()),
                        events,
                        time,
                        Map.of(),
                        MessageMemory.unlimited(),
                        null));
        containers.add(container);
        return container;
    }

    /** Messages are settled by hand. A stop waits for late acknowledgements, a test's end need not. */
    static ListenerOptions.Builder manual(ListenerOptions.Builder options) {
        return options.acknowledge(
                        new ListenerOptions.Acknowledge(ListenerOptions.AcknowledgeMode.MANUAL, Duration.ofMillis(50)))
                .shutdownTimeout(Duration.ofSeconds(5));
    }

    /** Failed messages are tried again at once or after a second: SQS counts whole ones. */
    static ListenerOptions.Failure retrySoon() {
        return new ListenerOptions.Failure(SHORT, false, List.of(), ListenerOptions.Failure.REDRIVE_POLICY);
    }

    @Override
    public void close() {
        containers.forEach(EngineContainer::stop);
    }

    /** A handler's failure; without a stack trace, of which a test's log would be full. */
    static final class Refused extends RuntimeException {
        Refused(String why) {
            super(why, null, false, false);
        }
    }

    // ---- what is in it

    /** Sends messages whose bodies are m0, m1 … */
    void send(int messages) throws InterruptedException {
        send(IntStream.range(0, messages).mapToObj(i -> "m" + i).toArray(String[]::new));
    }

    /** Sends messages to a standard queue. */
    void send(String... bodies) throws InterruptedException {
        List<SendEntry> entries = new ArrayList<>(bodies.length);
        for (String body : bodies) {
            entries.add(new SendEntry(body, Map.of(), null, null, null));
        }
        send(entries);
    }

    /** Sends to a FIFO queue: {@code each} messages in every group, with the bodies {@code group:index}, interleaved. */
    void sendGroups(int groups, int each) throws InterruptedException, ExecutionException {
        List<Future<?>> senders = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int from = 0; from < groups; from += 10) {
                int first = from;
                int last = Math.min(from + 10, groups);
                senders.add(threads.submit(() -> {
                    for (int i = 0; i < each; i++) {
                        List<SendEntry> entries = new ArrayList<>(10);
                        for (int group = first; group < last; group++) {
                            entries.add(inGroup("g" + group, "g" + group + ":" + i));
                        }
                        send(entries);
                    }
                    return null;
                }));
            }
        }
        for (Future<?> sender : senders) {
            sender.get();
        }
    }

    private static SendEntry inGroup(String group, String body) {
        return new SendEntry(body, Map.of(), null, group, UUID.randomUUID().toString());
    }

    /** Sends in tens, on the calling thread, past the faults. */
    void send(List<SendEntry> entries) throws InterruptedException {
        QueueClient sender = SERVER.queueClient();
        for (int from = 0; from < entries.size(); from += 10) {
            assertThat(sender.send(queue, entries.subList(from, Math.min(from + 10, entries.size()))))
                    .allMatch(result -> result instanceof EntryResult.Accepted);
        }
    }

    /** All messages, visible or hidden. */
    int size() {
        return SERVER.size(queue);
    }

    private static String attribute(Queue queue, QueueAttributeName name) {
        return Objects.requireNonNull(SERVER.client()
                .getQueueAttributes(request -> request.queueUrl(queue.url()).attributeNames(name))
                .attributes()
                .get(name));
    }

    /**
     * Takes what lies in the dead-letter queue, waiting until there are so many. Not before they are there: ElasticMQ does
     * not delete from its source a message that it moves while it is received from where it goes, and counts it for ever.
     */
    List<Message> deadLetters(int expected) {
        eventually(() -> assertThat(deadLettersLeft()).isGreaterThanOrEqualTo(expected));
        List<Message> all = new ArrayList<>();
        Queue from = deadLetterQueue == null ? queue : deadLetterQueue;
        eventually(() -> {
            all.addAll(SERVER.client()
                    .receiveMessage(request -> request.queueUrl(from.url())
                            .maxNumberOfMessages(10)
                            .visibilityTimeout(600)
                            .messageAttributeNames("All")
                            .messageSystemAttributeNamesWithStrings("All"))
                    .messages());
            assertThat(all).hasSize(expected);
        });
        return all;
    }

    /** How many messages of the dead-letter queue nobody has taken. */
    int deadLettersLeft() {
        Queue from = deadLetterQueue == null ? queue : deadLetterQueue;
        return Integer.parseInt(attribute(from, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES));
    }

    /** Nothing is left in it, neither visible nor hidden. */
    void eventuallyEmpty() {
        eventually(() -> assertThat(size()).isZero());
    }

    /** Asserts again and again until it holds. */
    static void eventually(Progress.Assertion assertion) {
        Progress.untilAsserted(assertion);
    }

    static boolean keepsOrderOfWhatIsGivenBack() {
        return SERVER.keepsOrderOfWhatIsGivenBack();
    }
}
