/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.observation;

import io.github.batchsqs.autoconfigure.internal.listener.BatchSqsListenerAutoConfiguration;
import io.github.batchsqs.autoconfigure.internal.sender.BatchSqsSenderAutoConfiguration;
import io.github.batchsqs.autoconfigure.internal.settings.Switches;
import io.github.batchsqs.internal.observation.Observations;
import io.github.batchsqs.observation.ProcessConvention;
import io.github.batchsqs.observation.SendConvention;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * Observes invocations and sent messages where the application has an {@link ObservationRegistry}, and a tracer
 * or something else that shows that they are wanted. Beans of
 * type {@link ProcessConvention} and {@link SendConvention} change their names and key values.
 */
@AutoConfiguration(
        before = {BatchSqsListenerAutoConfiguration.class, BatchSqsSenderAutoConfiguration.class},
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
            "org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration"
        })
@ConditionalOnBean(ObservationRegistry.class)
@Conditional({Switches.BatchSqs.class, OnObservationsWantedCondition.class})
public final class BatchSqsObservationAutoConfiguration {

    /** Creates the configuration; Spring calls this constructor. */
    public BatchSqsObservationAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    Observations batchSqsObservations(
            ObservationRegistry registry,
            ObjectProvider<ProcessConvention> process,
            ObjectProvider<SendConvention> send) {
        return new Observations(
                registry,
                process.getIfAvailable(() -> ProcessConvention.STANDARD),
                send.getIfAvailable(() -> SendConvention.STANDARD));
    }
}
