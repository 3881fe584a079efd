/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.observation;

import io.github.batchsqs.autoconfigure.internal.settings.Switches;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.annotation.Order;

/** Links the span of a batch to the traces of its messages' producers, where the application has a tracer. */
@AutoConfiguration(
        // Which in turn comes after those that make a tracer
        afterName = "org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration")
@ConditionalOnClass(Tracer.class)
@ConditionalOnBean({Tracer.class, Propagator.class})
@Conditional(Switches.BatchSqs.class)
public final class BatchSqsTracingAutoConfiguration {

    /** Before Boot's handler of all receivers, which is at 1000 and knows no links: the first that fits is taken. */
    static final int ORDER = 500;

    /** Creates the configuration; Spring calls this constructor. */
    public BatchSqsTracingAutoConfiguration() {}

    @Bean
    @Order(ORDER)
    @ConditionalOnMissingBean
    LinkingTracingHandler batchSqsLinkingTracingHandler(Tracer tracer, Propagator propagator) {
        return new LinkingTracingHandler(tracer, propagator);
    }
}
