/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import io.github.batchsqs.autoconfigure.internal.settings.Switches;
import io.github.batchsqs.internal.send.BatchSqsTemplate;
import io.github.batchsqs.internal.send.Outbox;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.jdbc.BatchSqsJdbcAutoConfiguration;
import io.github.batchsqs.jdbc.internal.Database;
import io.github.batchsqs.send.SenderOptions;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/** The outbox of the template with {@code batchsqs.sender.transactional: outbox}. A bean of type {@link Outbox} replaces it. */
@AutoConfiguration(after = BatchSqsJdbcAutoConfiguration.class)
@Conditional({Switches.BatchSqs.class, Switches.Outbox.class})
@ConditionalOnMissingBean(Outbox.class)
public final class BatchSqsOutboxAutoConfiguration {

    /** Creates the configuration; Spring calls this constructor. */
    public BatchSqsOutboxAutoConfiguration() {}

    @Bean
    OutboxMeters batchSqsOutboxMeters(ObjectProvider<MeterRegistry> meters) {
        return new OutboxMeters(meters.getIfAvailable());
    }

    @Bean
    OutboxStore batchSqsOutboxStore(Database database) {
        return new OutboxStore(database, OutboxStore.LEASE);
    }

    /** Asks for the template when it sends first: the template needs the outbox. */
    @Bean
    Relay batchSqsOutboxRelay(OutboxStore store, ObjectProvider<BatchSqsTemplate> template, OutboxMeters meters) {
        Sender sender = (client, messages) -> template.getObject().sendStored(client, messages);
        return new Relay(store, sender, meters, TimeSource.system());
    }

    @Bean
    JdbcOutbox batchSqsOutbox(
            OutboxStore store, Relay relay, SenderOptions options, ObjectProvider<BatchSqsTemplate> template) {
        return new JdbcOutbox(store, relay, options, () -> {
            if (template.getIfUnique() == null) {
                throw new SetupException(
                        "batchsqs.sender.transactional is outbox, but the application has no single bean of type"
                                + " BatchSqsTemplate, which sends the messages of the outbox.",
                        "Remove your own bean of type BatchSqsOperations, or the setting.");
            }
        });
    }

    /** Only with Spring Boot's health. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
    @ConditionalOnEnabledHealthIndicator("batchsqs-outbox")
    static class OfHealth {

        @Bean
        @ConditionalOnMissingBean(name = "batchSqsOutboxHealthIndicator")
        OutboxHealth batchSqsOutboxHealthIndicator(Relay relay, OutboxMeters meters) {
            return new OutboxHealth(relay, meters);
        }
    }

    /** Only where the endpoint is exposed. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
    @ConditionalOnAvailableEndpoint(BatchSqsOutboxEndpoint.class)
    static class OfEndpoint {

        @Bean
        @ConditionalOnMissingBean
        BatchSqsOutboxEndpoint batchSqsOutboxEndpoint(OutboxStore store, Relay relay) {
            return new BatchSqsOutboxEndpoint(store, relay);
        }
    }
}
