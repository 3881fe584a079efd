/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.health;

import io.github.batchsqs.autoconfigure.internal.listener.BatchSqsListenerAutoConfiguration;
import io.github.batchsqs.receive.ListenerContainers;
import java.time.InstantSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.annotation.Bean;

/**
 * The health contributor {@code batchsqs}, with an entry per listener. Off with
 * {@code management.health.batchsqs.enabled=false}; a bean named {@code batchsqsHealthContributor} replaces it.
 */
@AutoConfiguration(after = BatchSqsListenerAutoConfiguration.class)
@ConditionalOnClass({HealthContributor.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(ListenerContainers.class)
@ConditionalOnEnabledHealthIndicator("batchsqs")
public final class BatchSqsHealthAutoConfiguration {

    /** Boot's name of a contributor is that of its bean without the suffix. */
    private static final String NAME = "batchsqsHealthContributor";

    /** Creates the configuration; Spring calls this constructor. */
    public BatchSqsHealthAutoConfiguration() {}

    @Bean(NAME)
    @ConditionalOnMissingBean(name = NAME)
    CompositeHealthContributor batchSqsHealthContributor(ListenerContainers containers) {
        return new ListenerHealthContributor(containers, InstantSource.system());
    }
}
