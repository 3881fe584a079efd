/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.sender;

import io.github.batchsqs.autoconfigure.internal.settings.Switches;
import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.send.OutgoingMessage;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.core.Ordered;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.support.BrokerRouting;
import org.springframework.modulith.events.support.EventExternalizationTransport;
import org.springframework.modulith.events.support.EventExternalizerModuleListener;

/**
 * Sends the externalized events of Spring Modulith through the template: the target is the queue, the key is the message group, and headers are
 * message attributes. Each is sent after the commit; its publication is complete when SQS has accepted the message. The transport of another
 * broker, or of the application, replaces this one.
 */
@AutoConfiguration(
        after = BatchSqsSenderAutoConfiguration.class,
        afterName = "org.springframework.modulith.events.config.EventExternalizationAutoConfiguration")
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@Conditional(Switches.BatchSqs.class)
@ConditionalOnClass({BrokerRouting.class, EventExternalizationTransport.class})
@ConditionalOnBean({BatchSqsOperations.class, EventExternalizationConfiguration.class})
@ConditionalOnMissingBean(
        value = {EventExternalizationTransport.class, EventExternalizerModuleListener.class},
        // By its name: it will be removed
        type = "org.springframework.modulith.events.support.DelegatingEventExternalizer")
public final class BatchSqsModulithAutoConfiguration {

    /** Creates the configuration; Spring calls this constructor. */
    public BatchSqsModulithAutoConfiguration() {}

    @Bean
    EventExternalizationTransport batchSqsEventTransport(
            BatchSqsOperations sender, EventExternalizationConfiguration events, BeanFactory beans) {
        var context = new StandardEvaluationContext();
        context.setBeanResolver(new BeanFactoryResolver(beans));
        return (event, target) -> {
            BrokerRouting routing = BrokerRouting.of(target, context);
            var message =
                    OutgoingMessage.builder(routing.getTarget(event), event).groupId(routing.getKey(event));
            events.getHeadersFor(event).forEach((name, value) -> message.attribute(name, String.valueOf(value)));
            return sender.send(message.build());
        };
    }

    /** With the mode {@code outbox} of Spring Modulith, its own outbox calls the transport. */
    @Bean
    @ConditionalOnProperty(
            name = "spring.modulith.events.externalization.mode",
            havingValue = "module-listener",
            matchIfMissing = true)
    EventExternalizerModuleListener batchSqsEventExternalizer(
            EventExternalizationConfiguration events, EventExternalizationTransport batchSqsEventTransport) {
        return new EventExternalizerModuleListener(events, batchSqsEventTransport);
    }
}
