/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.race;

import io.awspring.cloud.sqs.annotation.SqsListener;
import io.awspring.cloud.sqs.config.SqsMessageListenerContainerFactory;
import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.receive.ListenerContainer;
import io.github.batchsqs.sample.orders.Order;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** Two listeners of one queue, each with the defaults of its library. They start for a race only, one at a time. */
@Configuration(proxyBeanMethods = false)
public class RaceListeners {

    static final String OURS = "race";
    static final String PEER = "race-peer";
    static final String QUEUE = "race";

    /** What the current lap waits for. */
    private volatile CountDownLatch left = new CountDownLatch(0);

    @SqsListener(id = PEER, queueNames = QUEUE, factory = "raceFactory")
    void peer(Order order) {
        left.countDown();
    }

    @BatchSqsListener(id = OURS, queue = QUEUE, autoStartup = "false")
    void ours(Order order) {
        left.countDown();
    }

    /** Returns the listeners of the shop, without the one that races. */
    public static List<ListenerContainer> without(List<ListenerContainer> all) {
        return all.stream().filter(each -> !each.options().id().equals(OURS)).toList();
    }

    void await(int messages) {
        left = new CountDownLatch(messages);
    }

    CountDownLatch left() {
        return left;
    }

    /** Its only difference from the default factory: containers do not start with the application. */
    @Configuration(proxyBeanMethods = false)
    static class PeerFactory {

        @Bean
        SqsMessageListenerContainerFactory<Object> raceFactory(SqsAsyncClient client) {
            return SqsMessageListenerContainerFactory.builder()
                    .sqsAsyncClient(client)
                    .configure(options -> options.autoStartup(false))
                    .build();
        }
    }
}
