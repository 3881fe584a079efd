/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.BatchListener;
import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.receive.delivery.MessageMemory;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.model.sqs.QueueSettings;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.InMemoryPayloadStore;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Listeners on queues in memory, whose messages have their payloads in a store. */
class StoredPayloadsTests {

    private final InMemoryQueueClient client = new InMemoryQueueClient(TimeSource.system());
    private final Queue dead = client.createQueue("dead");
    private final Queue queue = client.createQueue("orders", QueueSettings.DEFAULT.withRedrive("dead", 100));
    private final InMemoryPayloadStore store = new InMemoryPayloadStore();
    private final LinkedBlockingQueue<String> handled = new LinkedBlockingQueue<>();
    private final List<EngineContainer> made = new ArrayList<>();

    @AfterEach
    void stop() {
        client.faults(Faults.NONE);
        made.forEach(EngineContainer::stop);
        assertThat(store.open).hasValue(0);
        client.assertNoMisuse();
    }

    private EngineContainer start(BatchListener<String> listener) {
        return start("orders", listener);
    }

    private EngineContainer start(String name, BatchListener<String> listener) {
        ListenerOptions options = ListenerOptions.builder("orders-listener", name)
                .failure(new ListenerOptions.Failure(
                        Backoff.exponential(Duration.ofNanos(1), Duration.ofNanos(1)),
                        false,
                        List.of(IllegalArgumentException.class),
                        ListenerOptions.Failure.REDRIVE_POLICY))
                .build();
        client.longPolling(true);
        EngineContainer container = new EngineContainer(
                options,
                new ListenerHandler<>(ReceivedMessage::body, listener, List.of(), ErrorHook.NONE),
                new ListenerResources(
                        client,
                        client,
                        ListenerEvents.NONE,
                        TimeSource.system(),
                        Map.of(),
                        MessageMemory.unlimited(),
                        store));
        made.add(container);
        container.start();
        return container;
    }

    private void put(String key, String payload) {
        put(queue, key, payload);
    }

    private void put(Queue to, String key, String payload) {
        store.objects.put(key, payload);
        client.put(
                to,
                List.of(new SendEntry(
                        key,
                        Map.of("ExtendedPayloadSize", MessageAttribute.number(payload.length())),
                        null,
                        null,
                        null,
                        null)));
    }

    private final BatchListener<String> collect = BatchListener.of(batch -> {
        batch.messages().forEach(message -> assertThat(message.body()).isEqualTo(message.payload()));
        handled.addAll(batch.payloads());
    });

    @Test
    void theHandlerSeesThePayloadAndTheStoreLearnsOfTheDelete() {
        put("one", "large payload");
        client.put(queue, "small");
        start(collect);

        assertThat(List.of(Progress.take(handled), Progress.take(handled)))
                .containsExactlyInAnyOrder("large payload", "small");
        Progress.until(() -> List.copyOf(store.deleted), List.of("one"));
    }

    @Test
    void theStoreDoesNotLearnOfADeleteThatSqsDidNotAccept() {
        put("one", "large payload");
        AtomicInteger deletes = new AtomicInteger();
        client.faults(new Faults() {
            @Override
            public void before(Call call) {
                if (call.operation() == Operation.DELETE && deletes.incrementAndGet() <= 3) {
                    assertThat(store.deleted).isEmpty();
                    throw call.connectionFailed();
                }
            }
        });
        start(collect);

        Progress.until(() -> List.copyOf(store.deleted), List.of("one"));
        assertThat(deletes.get()).isGreaterThan(3);
    }

    @Test
    void aStoreThatFailsForNowCostsAnAttempt() {
        put("one", "large payload");
        AtomicInteger fetches = new AtomicInteger();
        store.fetches(key -> fetches.incrementAndGet() < 3 ? InMemoryPayloadStore.unavailable() : null);
        start(collect);

        assertThat(Progress.take(handled)).isEqualTo("large payload");
        assertThat(client.delivered(queue)).hasSize(3);
    }

    @Test
    void anUnreadablePayloadGoesToTheDeadLetterQueueAsAPointer() {
        put("one", "large payload");
        store.fetches(key -> InMemoryPayloadStore.unreadable());
        start(collect);

        Progress.until(() -> client.visible(dead).size(), 1);
        StoredMessage letter = client.visible(dead).getFirst();
        assertThat(letter.body()).isEqualTo("one");
        Progress.until(() -> client.deleted(queue).size(), 1);
        assertThat(store.deleted).isEmpty();
        assertThat(handled).isEmpty();
    }

    @Test
    void aDeadLetterKeepsItsPayloadAlsoWhenItsDeleteFailsAndItComesAgain() {
        Queue shortLeases = client.createQueue(
                "short",
                QueueSettings.DEFAULT
                        .withVisibilityTimeout(Duration.ofSeconds(1))
                        .withRedrive("dead", 100));
        put(shortLeases, "one", "large payload");
        AtomicInteger deletes = new AtomicInteger();
        client.faults(new Faults() {
            @Override
            public void before(Call call) {
                if (call.operation() == Operation.DELETE
                        && deletes.incrementAndGet() < 200
                        && client.delivered(shortLeases).size() < 2) {
                    throw call.connectionFailed();
                }
            }
        });
        start("short", BatchListener.of(batch -> {
            throw new IllegalArgumentException("poison");
        }));

        Progress.until(() -> client.deleted(shortLeases).size(), 1);
        assertThat(client.visible(dead)).hasSize(1);
        assertThat(store.deleted).isEmpty();
    }
}
