/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc;

import io.github.batchsqs.autoconfigure.internal.settings.BatchSqsProperties;
import io.github.batchsqs.autoconfigure.internal.settings.Switches;
import io.github.batchsqs.jdbc.internal.Database;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * The database of inbox and outbox: the application's {@code DataSource} and transaction manager. Nothing touches them until a
 * listener or the sender asks for inbox or outbox.
 */
@AutoConfiguration
@EnableConfigurationProperties(BatchSqsProperties.class)
@Conditional(Switches.BatchSqs.class)
public final class BatchSqsJdbcAutoConfiguration {

    /** Creates the configuration; Spring calls this constructor. */
    public BatchSqsJdbcAutoConfiguration() {}

    @Bean
    Database batchSqsDatabase(BatchSqsProperties properties, ListableBeanFactory beans) {
        return new Database(properties.jdbc(), beans);
    }
}
