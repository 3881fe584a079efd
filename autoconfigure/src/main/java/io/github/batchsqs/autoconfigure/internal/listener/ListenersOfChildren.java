/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Warns of listeners in child contexts without the auto-configuration, which nobody else reads. Spring publishes the refresh of a
 * child to its parents, too.
 */
final class ListenersOfChildren implements ApplicationListener<ContextRefreshedEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(ListenersOfChildren.class);

    static final String REGISTRAR = "batchSqsListenerRegistrar";

    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        if (!(event.getApplicationContext() instanceof ConfigurableApplicationContext context)
                || context.getBeanFactory().containsLocalBean(REGISTRAR)) {
            return;
        }
        try {
            new ListenerMethods(context.getBeanFactory()).find().forEach(listener -> warn(listener, context));
        } catch (SetupException unsuitable) {
            LOG.warn("A child context has a listener that receives nothing, and could not run", unsuitable);
        }
    }

    private static void warn(AnnotatedListener listener, ConfigurableApplicationContext context) {
        LOG.warn(
                "The listener {} receives nothing: its bean '{}' is in the child context '{}', which has no"
                        + " auto-configuration of BatchSQS. Define the bean in the parent context, or give the child"
                        + " @EnableAutoConfiguration",
                listener.describe(),
                listener.beanName(),
                context.getDisplayName());
    }
}
