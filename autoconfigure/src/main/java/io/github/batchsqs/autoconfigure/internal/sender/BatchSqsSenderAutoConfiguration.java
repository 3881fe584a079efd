/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.sender;

import io.github.batchsqs.autoconfigure.internal.client.BatchSqsClientAutoConfiguration;
import io.github.batchsqs.autoconfigure.internal.client.NamedClient;
import io.github.batchsqs.autoconfigure.internal.client.NamedClients;
import io.github.batchsqs.autoconfigure.internal.settings.BatchSqsProperties;
import io.github.batchsqs.autoconfigure.internal.settings.SenderSettings.Transactional;
import io.github.batchsqs.autoconfigure.internal.settings.Switches;
import io.github.batchsqs.autoconfigure.sender.SenderOptionsCustomizer;
import io.github.batchsqs.codec.PayloadCodec;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.events.MicrometerSenderEvents;
import io.github.batchsqs.internal.events.SenderEvents;
import io.github.batchsqs.internal.observation.Observations;
import io.github.batchsqs.internal.send.BatchSqsTemplate;
import io.github.batchsqs.internal.send.Outbox;
import io.github.batchsqs.internal.send.SendBinding;
import io.github.batchsqs.internal.send.SendObserver;
import io.github.batchsqs.internal.send.SenderResources;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.payload.PayloadStore;
import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.send.DeduplicationIds;
import io.github.batchsqs.send.SenderOptions;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.util.ClassUtils;

/**
 * The template that sends messages in batches, and receives some on request, set by {@code batchsqs.sender.*}.
 *
 * <p>A bean of type {@link BatchSqsOperations} replaces it; one of type {@link SenderOptions} replaces the settings, one of
 * type {@link DeduplicationIds} the setting of that name; {@link SenderOptionsCustomizer} beans change the options that the
 * settings make. It is closed after the listeners have stopped, so handlers can
 * send until they end; closing sends what is buffered.
 */
@AutoConfiguration(after = BatchSqsClientAutoConfiguration.class)
@EnableConfigurationProperties(BatchSqsProperties.class)
@Conditional(Switches.BatchSqs.class)
public final class BatchSqsSenderAutoConfiguration {

    private static final String TRANSACTIONS =
            "org.springframework.transaction.support.TransactionSynchronizationManager";

    /** Creates the configuration; Spring calls this constructor. */
    public BatchSqsSenderAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    SenderOptions batchSqsSenderOptions(
            BatchSqsProperties properties,
            ObjectProvider<DeduplicationIds> ids,
            ObjectProvider<SenderOptionsCustomizer> customizers) {
        SenderOptions options = SenderOptionsMapper.map(properties.sender(), ids.getIfAvailable());
        for (SenderOptionsCustomizer each : customizers.orderedStream().toList()) {
            options = each.customize(options);
        }
        return options;
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean(BatchSqsOperations.class)
    BatchSqsTemplate batchSqsTemplate(
            SenderOptions options,
            NamedClients clients,
            PayloadCodec codec,
            ObjectProvider<MeterRegistry> meters,
            ObjectProvider<Observations> observations,
            ObjectProvider<PayloadStore> stores,
            ObjectProvider<Outbox> outboxes,
            BatchSqsProperties properties) {
        Observations observed = observations.getIfAvailable();
        PayloadStore payloads = stores.getIfAvailable();
        Function<String, SenderResources> resources = name -> {
            NamedClient client = clients.get(name);
            return new SenderResources(
                    client.queues(),
                    client.resolver(),
                    codec,
                    queue -> events(meters, queue, name),
                    observed == null ? SendObserver.NONE : observed.sends(name),
                    binding(properties.sender().transactional(), name, outboxes),
                    TimeSource.system(),
                    payloads);
        };
        return new BatchSqsTemplate(options, resources.apply(QueueClient.DEFAULT_NAME), resources);
    }

    private static SendBinding binding(
            @Nullable Transactional transactional, String client, ObjectProvider<Outbox> outboxes) {
        if (transactional == null || transactional == Transactional.NONE) {
            return SendBinding.NONE;
        }
        boolean stored = transactional == Transactional.OUTBOX;
        Outbox outbox = stored ? outboxes.getIfAvailable() : null;
        Check.that(
                !stored || outbox != null,
                "batchsqs.sender.transactional",
                "needs the module that stores messages in the database of the application",
                "outbox",
                "add io.github.batchsqs:batchsqs-spring-boot-jdbc, or set after-commit");
        Check.that(
                ClassUtils.isPresent(TRANSACTIONS, ClassUtils.getDefaultClassLoader()),
                "batchsqs.sender.transactional",
                "needs Spring's transactions, which are not on the class path",
                stored ? "outbox" : "after-commit",
                "add org.springframework:spring-tx (with Boot, by a starter such as spring-boot-starter-jdbc), or"
                        + " remove the key");
        return outbox == null ? new TransactionBinding() : new OutboxBinding(client, outbox);
    }

    /** Asked for at the first message to a queue, when the registry is surely there. */
    private static SenderEvents events(ObjectProvider<MeterRegistry> meters, String queue, String client) {
        MeterRegistry registry = meters.getIfAvailable();
        return registry == null ? SenderEvents.NONE : new MicrometerSenderEvents(registry, queue, client);
    }
}
