/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.endpoint;

import io.github.batchsqs.autoconfigure.internal.client.NamedClients;
import io.github.batchsqs.autoconfigure.internal.listener.BatchSqsListenerAutoConfiguration;
import io.github.batchsqs.autoconfigure.internal.options.ListenerOptionsSource;
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
 * ({@code management.endpoints.web.exposure.include}), and with its write operations only where
 * {@code management.endpoint.batchsqs.access} is {@code unrestricted}.
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
            ListenerContainers containers, ListenerOptionsSource settings, NamedClients clients) {
        return new BatchSqsEndpoint(containers, settings.report(), new ListenerRedrive(clients));
    }
}
