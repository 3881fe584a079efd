/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.contestants;

import io.awspring.cloud.sqs.listener.ListenerMode;
import io.awspring.cloud.sqs.listener.MessageListener;
import io.awspring.cloud.sqs.listener.SqsContainerOptionsBuilder;
import io.awspring.cloud.sqs.listener.SqsMessageListenerContainer;
import io.github.batchsqs.benchmarks.run.Listening;
import io.github.batchsqs.benchmarks.run.MessageHandler;
import io.github.batchsqs.benchmarks.run.Target;
import java.util.Collection;
import java.util.List;
import org.springframework.messaging.Message;

/**
 * Spring Cloud AWS's container, the one behind {@code @SqsListener}.
 *
 * @param batch whether the handler takes lists
 * @param settings its configuration
 * @param meters whether its observations are on, which are its meters; off by default
 */
public record SpringListening(boolean batch, SpringSettings settings, boolean meters) implements Listening {

    /** Its defaults. */
    public static SpringListening defaults(boolean batch) {
        return new SpringListening(batch, SpringSettings.DEFAULTS, false);
    }

    /** Tuned: acknowledgements every 100 ms. */
    public static SpringListening tuned(
            boolean batch, int concurrentMessages, Clients.Http http, boolean virtualThreads, boolean fixed) {
        SpringSettings settings = new SpringSettings(
                concurrentMessages, http, virtualThreads, fixed, 0, SpringSettings.Acknowledgement.every(100));
        return new SpringListening(batch, settings, false);
    }

    @Override
    public void start(Target target, MessageHandler handler) {
        SqsMessageListenerContainer<String> container = SqsMessageListenerContainer.<String>builder()
                .sqsAsyncClient(Clients.async(target.endpoint(), settings.http()))
                .queueNames(target.queue())
                .messageListener(new Handling(handler))
                .configure(this::configure)
                .build();
        container.start();
    }

    private void configure(SqsContainerOptionsBuilder options) {
        options.listenerMode(batch ? ListenerMode.BATCH : ListenerMode.SINGLE_MESSAGE);
        settings.apply(options);
        if (meters) {
            options.observationRegistry(Meters.observations());
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
