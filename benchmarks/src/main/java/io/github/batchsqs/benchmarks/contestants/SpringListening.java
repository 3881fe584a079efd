/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.contestants;

import io.awspring.cloud.sqs.listener.BackPressureMode;
import io.awspring.cloud.sqs.listener.ListenerMode;
import io.awspring.cloud.sqs.listener.MessageListener;
import io.awspring.cloud.sqs.listener.SqsContainerOptionsBuilder;
import io.awspring.cloud.sqs.listener.SqsMessageListenerContainer;
import io.github.batchsqs.benchmarks.run.Listening;
import io.github.batchsqs.benchmarks.run.MessageHandler;
import io.github.batchsqs.benchmarks.run.Target;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.messaging.Message;

/**
 * Spring Cloud AWS's container, the one behind {@code @SqsListener}.
 *
 * @param batch whether the handler takes lists
 * @param concurrentMessages at most; 0 for the default of 10
 * @param http the client's
 * @param virtualThreads instead of its pool of platform threads
 * @param fixed the back-pressure mode {@code FIXED_HIGH_THROUGHPUT} instead of {@code AUTO}
 * @param acknowledgeEvery milliseconds; 0 for the default of a second
 */
public record SpringListening(
        boolean batch,
        int concurrentMessages,
        Clients.Http http,
        boolean virtualThreads,
        boolean fixed,
        int acknowledgeEvery)
        implements Listening {

    /** Its defaults. */
    public static SpringListening defaults(boolean batch) {
        return new SpringListening(batch, 0, Clients.Http.NETTY_DEFAULT, false, false, 0);
    }

    /** Tuned: acknowledgements every 100 ms. */
    public static SpringListening tuned(
            boolean batch, int concurrentMessages, Clients.Http http, boolean virtualThreads, boolean fixed) {
        return new SpringListening(batch, concurrentMessages, http, virtualThreads, fixed, 100);
    }

    @Override
    public void start(Target target, MessageHandler handler) {
        SqsMessageListenerContainer<String> container = SqsMessageListenerContainer.<String>builder()
                .sqsAsyncClient(Clients.async(target.endpoint(), http))
                .queueNames(target.queue())
                .messageListener(new Handling(handler))
                .configure(this::configure)
                .build();
        container.start();
    }

    private void configure(SqsContainerOptionsBuilder options) {
        options.listenerMode(batch ? ListenerMode.BATCH : ListenerMode.SINGLE_MESSAGE);
        if (concurrentMessages > 0) {
            options.maxConcurrentMessages(concurrentMessages);
        }
        if (virtualThreads) {
            options.componentsTaskExecutor(new VirtualThreadTaskExecutor("components-"));
            options.acknowledgementResultTaskExecutor(new VirtualThreadTaskExecutor("results-"));
        }
        if (fixed) {
            options.backPressureMode(BackPressureMode.FIXED_HIGH_THROUGHPUT);
        }
        if (acknowledgeEvery > 0) {
            options.acknowledgementInterval(Duration.ofMillis(acknowledgeEvery));
        }
    }

    /** Passes payloads on. */
    private record Handling(MessageHandler handler) implements MessageListener<String> {

        @Override
        public void onMessage(Message<String> message) {
            handle(List.of(message.getPayload()));
        }

        @Override
        public void onMessage(Collection<Message<String>> messages) {
            handle(messages.stream().map(Message::getPayload).toList());
        }

        private void handle(List<String> bodies) {
            try {
                handler.handle(bodies);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
