/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import io.github.batchsqs.autoconfigure.internal.client.BatchSqsClientAutoConfiguration;
import io.github.batchsqs.autoconfigure.internal.client.NamedClients;
import io.github.batchsqs.autoconfigure.internal.events.ListenerEventPublisher;
import io.github.batchsqs.autoconfigure.internal.options.ListenerOptionsSource;
import io.github.batchsqs.autoconfigure.internal.settings.BatchSqsProperties;
import io.github.batchsqs.autoconfigure.internal.settings.Switches;
import io.github.batchsqs.autoconfigure.options.ListenerOptionsCustomizer;
import io.github.batchsqs.codec.PayloadCodec;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.receive.ContainerRegistry;
import io.github.batchsqs.internal.receive.delivery.MessageMemory;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.BatchInterceptor;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ReceiveGate;
import io.github.batchsqs.payload.PayloadStore;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;

/**
 * Runs the methods annotated with {@link io.github.batchsqs.annotation.BatchSqsListener}.
 *
 * <p>Beans of the application that take part: {@link PayloadCodec} (instead of Jackson's), {@link BatchInterceptor} and
 * {@link ErrorHook} (all of them, in order), {@link ListenerEvents} (all of them), {@link ReceiveGate}, {@link PayloadStore}, {@link
 * ListenerOptionsCustomizer}, {@code MeterRegistry}, {@code Validator} (for methods with {@code @Valid} or {@code @Validated}), and the conversion service (for {@code @Header}).
 */
@AutoConfiguration(after = BatchSqsClientAutoConfiguration.class)
@EnableConfigurationProperties(BatchSqsProperties.class)
@Conditional(Switches.BatchSqs.class)
@Import({
    ListenerOptionsSource.class,
    PayloadReaders.class,
    Inboxes.class,
    StartFailures.class,
    ListenerContainerFactory.class,
    ListenerLifecycle.class,
    ListenerRegistrar.class
})
public final class BatchSqsListenerAutoConfiguration {

    /** Creates the configuration; Spring calls this constructor. */
    public BatchSqsListenerAutoConfiguration() {}

    // The clients are a parameter so that they are destroyed after the containers, which the lifecycle ends
    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    ContainerRegistry batchSqsListenerContainers(NamedClients clients) {
        return new ContainerRegistry();
    }

    @Bean
    MessageMemory batchSqsMessageMemory(BatchSqsProperties properties) {
        return properties.memory();
    }

    @Bean
    ListenerEventPublisher batchSqsListenerEventPublisher(ApplicationEventPublisher publisher) {
        return new ListenerEventPublisher(publisher, TimeSource.system());
    }
}
