/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import io.github.batchsqs.autoconfigure.internal.client.BatchSqsClientAutoConfiguration;
import io.github.batchsqs.autoconfigure.internal.client.NamedClients;
import io.github.batchsqs.autoconfigure.internal.embedded.EmbeddedEndpoint;
import io.github.batchsqs.autoconfigure.internal.events.ListenerEventPublisher;
import io.github.batchsqs.autoconfigure.internal.options.ListenerOptionsSource;
import io.github.batchsqs.autoconfigure.internal.settings.BatchSqsProperties;
import io.github.batchsqs.autoconfigure.internal.settings.Switches;
import io.github.batchsqs.autoconfigure.options.ListenerOptionsCustomizer;
import io.github.batchsqs.codec.PayloadCodec;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.observation.Observations;
import io.github.batchsqs.internal.receive.ContainerRegistry;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.BatchInterceptor;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerOptions.InvocationExecutor;
import io.github.batchsqs.listener.ReceiveGate;
import io.github.batchsqs.payload.PayloadStore;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.util.ClassUtils;
import org.springframework.validation.Validator;

/**
 * Runs the methods annotated with {@link io.github.batchsqs.annotation.BatchSqsListener}.
 *
 * <p>Beans of the application that take part: {@link PayloadCodec} (instead of Jackson's), {@link BatchInterceptor} and
 * {@link ErrorHook} (all of them, in order), {@link ListenerEvents} (all of them), {@link ReceiveGate}, {@link PayloadStore}, {@link
 * ListenerOptionsCustomizer}, {@code MeterRegistry}, {@code Validator} (for methods with {@code @Valid} or {@code @Validated}), and the conversion service (for {@code @Header}).
 */
@AutoConfiguration(after = BatchSqsClientAutoConfiguration.class)
@EnableConfigurationProperties(BatchSqsProperties.class)
@Conditional(Switches.BatchSqs.class)
@Import({PayloadReaders.class, Inboxes.class, ListenerRegistrar.class})
public final class BatchSqsListenerAutoConfiguration {

    /** Creates the configuration; Spring calls this constructor. */
    public BatchSqsListenerAutoConfiguration() {}

    // The clients are a parameter so that they are destroyed after the containers, which the lifecycle ends
    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    ContainerRegistry batchSqsListenerContainers(NamedClients clients) {
        return new ContainerRegistry();
    }

    @Bean
    ListenerContainerFactory batchSqsListenerContainerFactory(
            ContainerRegistry containers,
            NamedClients clients,
            ObjectProvider<BatchInterceptor> interceptors,
            ObjectProvider<ErrorHook> errorHooks,
            ObjectProvider<ListenerEvents> observers,
            ObjectProvider<MeterRegistry> meters,
            ObjectProvider<Observations> observations,
            ListenerEventPublisher publisher,
            ObjectProvider<Map<String, ReceiveGate>> gates,
            ObjectProvider<PayloadStore> stores,
            BatchSqsProperties properties) {
        return new ListenerContainerFactory(
                clients,
                interceptors.orderedStream().toList(),
                errorHooks.orderedStream().reduce(ErrorHook.NONE, ListenerContainerFactory::both),
                observers.orderedStream().toList(),
                meters.getIfAvailable(),
                observations.getIfAvailable(),
                publisher,
                () -> gates.getIfAvailable(Map::of),
                properties.memory(),
                stores.getIfAvailable(),
                containers);
    }

    @Bean
    ListenerOptionsSource batchSqsListenerOptionsSource(
            BatchSqsProperties properties,
            ConfigurableListableBeanFactory beans,
            ObjectProvider<ListenerOptionsCustomizer> customizers) {
        return new ListenerOptionsSource(
                properties,
                name -> executor(beans, name),
                classLoader(beans),
                customizers.orderedStream().toList(),
                BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, BatchInterceptor.class, true, false).length
                        > 0);
    }

    @Bean
    ListenerEventPublisher batchSqsListenerEventPublisher(ApplicationEventPublisher publisher) {
        return new ListenerEventPublisher(publisher, TimeSource.system());
    }

    @Bean(name = ListenerLifecycle.BEAN, destroyMethod = "close")
    ListenerLifecycle batchSqsListenerLifecycle(
            ConfigurableListableBeanFactory beans,
            ContainerRegistry containers,
            NamedClients clients,
            ListenerEventPublisher publisher) {
        var startFailures = new StartFailures(
                name -> clients.get(name).sqs().get(),
                beans.getBeanNamesForType(EmbeddedEndpoint.class, true, false).length > 0);
        return new ListenerLifecycle(beans, containers, startFailures, publisher);
    }

    private static ClassLoader classLoader(ConfigurableListableBeanFactory beans) {
        return Objects.requireNonNullElseGet(beans.getBeanClassLoader(), ClassUtils::getDefaultClassLoader);
    }

    private static InvocationExecutor executor(ConfigurableListableBeanFactory beans, String name) {
        try {
            return new InvocationExecutor.Custom(beans.getBean(name, Executor.class));
        } catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException noExecutor) {
            String known = String.join(", ", beans.getBeanNamesForType(Executor.class));
            throw new InvalidOptionException(
                    "executor",
                    "must be virtual, platform, or the name of a bean of type java.util.concurrent.Executor",
                    name,
                    known.isEmpty() ? "define such a bean" : "define such a bean, or take one of: " + known);
        }
    }
}
