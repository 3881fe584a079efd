/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.inbox;

import io.github.batchsqs.autoconfigure.internal.listener.ListenerInbox;
import io.github.batchsqs.autoconfigure.internal.settings.BatchSqsProperties;
import io.github.batchsqs.autoconfigure.internal.settings.Switches;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.jdbc.BatchSqsJdbcAutoConfiguration;
import io.github.batchsqs.jdbc.internal.Database;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * The inbox of the listeners that set {@code inbox.enabled}. Nothing happens until one does. A bean of type {@link ListenerInbox}
 * replaces it.
 */
@AutoConfiguration(after = BatchSqsJdbcAutoConfiguration.class)
@Conditional(Switches.BatchSqs.class)
@ConditionalOnMissingBean(ListenerInbox.class)
public final class BatchSqsInboxAutoConfiguration {

    /** Creates the configuration; Spring calls this constructor. */
    public BatchSqsInboxAutoConfiguration() {}

    @Bean
    InboxMeters batchSqsInboxMeters(ObjectProvider<MeterRegistry> meters) {
        return new InboxMeters(meters.getIfAvailable());
    }

    @Bean(destroyMethod = "close")
    Retention batchSqsInboxRetention(Database database, BatchSqsProperties properties, InboxMeters meters) {
        return new Retention(database, properties.jdbc().inbox(), meters, TimeSource.system());
    }

    @Bean
    JdbcInbox batchSqsInbox(Database database, InboxMeters meters, Retention retention, ListableBeanFactory beans) {
        return new JdbcInbox(database, meters, retention, beans);
    }
}
