/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.BatchListener;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.events.MicrometerListenerEvents;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.internal.sdk.AwsQueueResolver;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.ElasticMqServer;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.SqsQueues;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** A queue of a test's own on the shared server, and the listeners on it. Closing it stops the listeners. */
final class TestQueue implements AutoCloseable {

    static final SqsQueues QUEUES = new SqsQueues(ElasticMqServer.shared().client());

    private static final ElasticMqServer SERVER = ElasticMqServer.shared();
    private static final Backoff SHORT = Backoff.exponential(Duration.ofNanos(1), Duration.ofNanos(1));

    final Map<String, Throwable> failures = new ConcurrentHashMap<>();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Queue queue;
    private final List<EngineContainer> containers = new CopyOnWriteArrayList<>();

    /** @param name a queue, such as a new one of {@link #QUEUES} */
    TestQueue(String name) {
        this.queue = new Queue(name, QUEUES.url(name));
    }

    String name() {
        return queue.name();
    }

    /** Makes and starts a listener that reads bodies as text; short polls and a short backoff, unless the options say otherwise. */
    void listen(UnaryOperator<ListenerOptions.Builder> options, BatchListener<String> listener) {
        ListenerOptions.Builder defaults = ListenerOptions.builder("orders", name())
                .waitTime(Duration.ofSeconds(2))
                .pollers(1, 8)
                .failure(new ListenerOptions.Failure(SHORT, false, List.of(), ListenerOptions.Failure.REDRIVE_POLICY));
        EngineContainer container = new EngineContainer(
                options.apply(defaults).build(),
                new ListenerHandler<>(
                        ReceivedMessage::body,
                        listener,
                        List.of(),
                        (name, message, cause) -> failures.put(message.body(), cause)),
                new ListenerResources(
                        SERVER.queueClient(),
                        new AwsQueueResolver(SERVER.client()),
                        new MicrometerListenerEvents(meters, "orders", name(), "default"),
                        TimeSource.system()));
        containers.add(container);
        container.start();
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

    /** Sends messages whose bodies are m0, m1 … */
    void send(int messages) throws InterruptedException {
        send(IntStream.range(0, messages).mapToObj(i -> "m" + i).toArray(String[]::new));
    }

    /** Sends messages to a standard queue. */
    void send(String... bodies) throws InterruptedException {
        for (int from = 0; from < bodies.length; from += 10) {
            send(List.of(bodies).subList(from, Math.min(from + 10, bodies.length)).stream()
                    .map(body -> new SendEntry(body, Map.of(), null, null, null))
                    .toList());
        }
    }

    /** Sends to a FIFO queue: {@code each} messages in every group, with the bodies {@code group:index}, interleaved. */
    void sendGroups(int groups, int each) throws InterruptedException {
        for (int i = 0; i < each; i++) {
            for (int from = 0; from < groups; from += 10) {
                String body = ":" + i;
                send(IntStream.range(from, from + 10)
                        .mapToObj(group -> "g" + group)
                        .map(group -> new SendEntry(
                                group + body,
                                Map.of(),
                                null,
                                group,
                                UUID.randomUUID().toString()))
                        .toList());
            }
        }
    }

    private void send(List<SendEntry> ten) throws InterruptedException {
        assertThat(SERVER.queueClient().send(queue, ten)).allMatch(result -> result instanceof EntryResult.Accepted);
    }

    /** Waits until so many messages are acknowledged. */
    void eventuallyAcknowledged(int messages) {
        Progress.until(() -> count("acknowledged"), (double) messages);
    }

    double count(String meter) {
        return meters.get("batchsqs.listener." + meter).counter().count();
    }

    /** Returns how many calls there were, with these tags of their meter. */
    long calls(String... tags) {
        return meters.get("batchsqs.api.calls").tags(tags).timers().stream()
                .mapToLong(Timer::count)
                .sum();
    }

    /** Nothing is left in it, neither visible nor hidden. */
    void eventuallyEmpty() {
        Progress.until(() -> SERVER.size(queue), 0);
    }
}
