/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.receive.EngineContainer;
import io.github.batchsqs.internal.receive.ListenerResources;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.internal.sdk.AwsQueueResolver;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.ElasticMqServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;

/** A process with a listener, to be killed. SIGTERM stops the listener first, as Spring's shutdown hook does. */
final class ConsumerProcess {

    private static final int CONCURRENCY = 4;
    private static final int BATCH = 10;
    private static final int PREFETCH = 20;

    /** The most messages that it holds, and so the most that a kill can make run again. */
    static final int MOST_IN_FLIGHT = CONCURRENCY * BATCH + PREFETCH;

    private ConsumerProcess() {}

    public static void main(String... arguments) throws Exception {
        Job job = Job.parse(arguments);
        Ledger ledger = Ledger.open(job.ledger());
        SqsClient sqs = ElasticMqServer.newClient(job.endpoint(), Region.of(job.region()));
        ListenerOptions options = ListenerOptions.builder("consumer", job.queue())
                .concurrency(CONCURRENCY)
                .batchSize(BATCH)
                .prefetch(PREFETCH)
                .pollers(1, 4)
                .waitTime(Duration.ofSeconds(1))
                .build();
        EngineContainer container = new EngineContainer(
                options,
                new ListenerHandler<>(
                        ReceivedMessage::body,
                        BatchListener.of((MessageBatch<String> batch) -> handle(batch, ledger)),
                        List.of(),
                        ErrorHook.NONE),
                new ListenerResources(
                        new RecordedQueueClient(ElasticMqServer.newQueueClient(sqs), ledger),
                        new AwsQueueResolver(sqs),
                        ListenerEvents.NONE,
                        TimeSource.system()));
        Runtime.getRuntime().addShutdownHook(new Thread(container::stop, "stop"));
        container.start();
        new CountDownLatch(1).await();
    }

    private static void handle(MessageBatch<String> batch, Ledger ledger) {
        batch.forEach(message -> ledger.write(Ledger.Kind.RUN, message.payload(), message.id()));
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(5_000_000));
    }
}
