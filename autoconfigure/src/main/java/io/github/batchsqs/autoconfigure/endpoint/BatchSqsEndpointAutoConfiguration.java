/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.endpoint;

import io.github.batchsqs.autoconfigure.listener.BatchSqsListenerAutoConfiguration;
import io.github.batchsqs.autoconfigure.options.ListenerSettingsReport;
import io.github.batchsqs.client.DeadLetterRedrive;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.receive.ListenerContainers;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * The actuator endpoint {@code batchsqs}: there only where it is exposed
 * ({@code management.endpoints.web.exposure.include}), and without its write operations where
 * {@code management.endpoint.batchsqs.access} is {@code read-only}.
 */
@AutoConfiguration(after = BatchSqsListenerAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean(ListenerContainers.class)
@ConditionalOnAvailableEndpoint(BatchSqsEndpoint.class)
public final class BatchSqsEndpointAutoConfiguration {

    /** Creates the configuration; Spring calls this constructor. */
    public BatchSqsEndpointAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    BatchSqsEndpoint batchSqsEndpoint(
            ListenerContainers containers,
            ListenerSettingsReport settings,
            QueueResolver resolver,
            DeadLetterRedrive redrive) {
        return new BatchSqsEndpoint(containers, settings, new ListenerRedrive(resolver, redrive));
    }
}
