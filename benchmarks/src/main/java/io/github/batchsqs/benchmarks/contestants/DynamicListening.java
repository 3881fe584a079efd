/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.contestants;

import com.jashmore.sqs.QueueProperties;
import com.jashmore.sqs.container.MessageListenerContainer;
import com.jashmore.sqs.container.batching.BatchingMessageListenerContainer;
import com.jashmore.sqs.container.batching.ImmutableBatchingMessageListenerContainerProperties;
import com.jashmore.sqs.container.fifo.FifoMessageListenerContainer;
import com.jashmore.sqs.container.fifo.ImmutableFifoMessageListenerContainerProperties;
import com.jashmore.sqs.processor.LambdaMessageProcessor;
import com.jashmore.sqs.processor.MessageProcessor;
import io.github.batchsqs.benchmarks.run.Listening;
import io.github.batchsqs.benchmarks.run.MessageHandler;
import io.github.batchsqs.benchmarks.run.Target;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * java-dynamic-sqs-listener's containers: the batching one, and the FIFO one. Handlers take single messages.
 *
 * @param concurrency messages handled at once
 */
public record DynamicListening(int concurrency) implements Listening {

    private static final Duration SOON = Duration.ofMillis(500);
    private static final Duration VISIBILITY = Duration.ofMinutes(10);

    @Override
    public void start(Target target, MessageHandler handler) {
        SqsAsyncClient sqs = Clients.async(target.endpoint(), Clients.Http.NETTY);
        QueueProperties queue = QueueProperties.builder().queueUrl(target.url()).build();
        Supplier<MessageProcessor> processor =
                () -> new LambdaMessageProcessor(sqs, queue, (Message message) -> handle(handler, message));
        MessageListenerContainer container =
                target.queue().endsWith(".fifo") ? fifo(sqs, queue, processor) : batching(sqs, queue, processor);
        var unused = container.start();
    }

    private MessageListenerContainer batching(
            SqsAsyncClient sqs, QueueProperties queue, Supplier<MessageProcessor> processor) {
        return new BatchingMessageListenerContainer(
                "benchmark",
                queue,
                sqs,
                processor,
                ImmutableBatchingMessageListenerContainerProperties.builder()
                        .concurrencyLevel(concurrency)
                        .concurrencyPollingRate(SOON)
                        .errorBackoffTime(SOON)
                        .batchSize(10)
                        .batchingPeriod(Duration.ofMillis(100))
                        .messageVisibilityTimeout(VISIBILITY)
                        .build());
    }

    private MessageListenerContainer fifo(
            SqsAsyncClient sqs, QueueProperties queue, Supplier<MessageProcessor> processor) {
        return new FifoMessageListenerContainer(
                "benchmark",
                queue,
                sqs,
                processor,
                ImmutableFifoMessageListenerContainerProperties.builder()
                        .concurrencyLevel(concurrency)
                        .concurrencyPollingRate(SOON)
                        .errorBackoffTime(SOON)
                        .maximumMessagesInMessageGroup(10)
                        .maximumCachedMessageGroups(concurrency)
                        .messageVisibilityTimeout(VISIBILITY)
                        .build());
    }

    private static void handle(MessageHandler handler, Message message) {
        try {
            handler.handle(List.of(message.body()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
