/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueAttributes;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.receive.EngineContainer;
import io.github.batchsqs.internal.receive.ListenerResources;
import io.github.batchsqs.internal.receive.delivery.MessageMemory;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.ElasticMqServer;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import software.amazon.awssdk.regions.Region;
import tools.jackson.databind.json.JsonMapper;

/** A process with a listener that reads large documents, and ends when it has handled all. */
final class SmallHeapConsumer {

    private static final JsonMapper JSON = JsonMapper.shared();

    private SmallHeapConsumer() {}

    /** A message. */
    record Document(int number, String text) {}

    /**
     * Handles documents.
     *
     * @param arguments the endpoint, the number of messages, the batch size, the milliseconds of an invocation, and {@code heap} or
     *     {@code unlimited}
     */
    public static void main(String... arguments) throws Exception {
        URI endpoint = URI.create(arguments[0]);
        int messages = Integer.parseInt(arguments[1]);
        Duration invocation = Duration.ofMillis(Long.parseLong(arguments[3]));
        MessageMemory memory = arguments[4].equals("heap") ? MessageMemory.ofHeap() : MessageMemory.unlimited();
        Set<Integer> handled = ConcurrentHashMap.newKeySet();
        CountDownLatch all = new CountDownLatch(1);
        BatchListener<Document> listener = BatchListener.of(batch -> {
            LockSupport.parkNanos(invocation.toNanos());
            batch.payloads().forEach(document -> handled.add(document.number()));
            if (handled.size() == messages) {
                all.countDown();
            }
        });
        EngineContainer container = new EngineContainer(
                ListenerOptions.builder("documents", "documents")
                        .batchSize(Integer.parseInt(arguments[2]))
                        .build(),
                new ListenerHandler<>(
                        message -> JSON.readValue(message.body(), Document.class), listener, List.of(), ErrorHook.NONE),
                new ListenerResources(
                        ElasticMqServer.newQueueClient(ElasticMqServer.newClient(endpoint, Region.US_EAST_1)),
                        new OneQueue(endpoint),
                        ListenerEvents.NONE,
                        TimeSource.system(),
                        Map.of(),
                        memory,
                        null));
        long start = System.nanoTime();
        container.start();
        all.await();
        System.out.println(Duration.ofNanos(System.nanoTime() - start).toMillis() + " ms");
        container.stop();
        System.exit(0); // the HTTP client has threads
    }

    /** Finds each queue on the server. */
    record OneQueue(URI endpoint) implements QueueResolver {

        @Override
        public Queue resolve(String nameUrlOrArn) {
            return new Queue(nameUrlOrArn, endpoint + "/000000000000/" + nameUrlOrArn);
        }

        @Override
        public Queue create(String name) {
            return resolve(name);
        }

        @Override
        public QueueAttributes attributes(Queue queue) {
            return new QueueAttributes(Duration.ofSeconds(30), null);
        }
    }
}
