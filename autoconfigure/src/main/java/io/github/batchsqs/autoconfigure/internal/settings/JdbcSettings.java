/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.settings;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/**
 * Settings of the module {@code batchsqs-spring-boot-jdbc}. A component that is {@code null} is not set.
 *
 * @param dataSource Name of the DataSource bean of inbox and outbox. Required if there are several and none is primary.
 * @param transactionManager Name of the PlatformTransactionManager bean of inbox and outbox. Required if there are several and
 *     none is primary.
 * @param initializeSchema When the start creates the tables of inbox and outbox: embedded (in an embedded database), always, or
 *     never.
 * @param inbox Rows of processed messages.
 */
public record JdbcSettings(
        @Nullable String dataSource,
        @Nullable String transactionManager,
        @DefaultValue("embedded") InitializeSchema initializeSchema,
        @DefaultValue Inbox inbox) {

    /** When the tables are created. */
    public enum InitializeSchema {
        /** In an embedded database. */
        EMBEDDED,
        /** In each database. */
        ALWAYS,
        /** By the application. */
        NEVER
    }

    /**
     * Rows of processed messages.
     *
     * @param retention How long the id of a processed message is kept, 1m to 365d. A duplicate that arrives later runs again. SQS
     *     keeps a message for 14d at the longest.
     */
    public record Inbox(
            @DurationUnit(ChronoUnit.SECONDS) @DefaultValue("14d")
            Duration retention) {}
}
