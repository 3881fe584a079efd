/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.observation;

import io.github.batchsqs.observation.ProcessContext;
import io.github.batchsqs.observation.ProcessConvention;
import io.github.batchsqs.observation.SendContext;
import io.github.batchsqs.observation.SendConvention;
import io.github.batchsqs.observation.SettleContext;
import io.github.batchsqs.observation.SettleConvention;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.GlobalObservationConvention;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.ResolvableType;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.core.type.MethodMetadata;
import org.springframework.util.ClassUtils;

/**
 * Whether somebody wants more of an observation than meters. The actuator alone brings a registry whose only handler makes a timer of each
 * observation, which would cost something for every message and repeat the meters of the library.
 *
 * <p>A tracer, a handler that does not make meters, a
 * convention that may apply, a customizer of the registry, or a registry that Boot has not made wants observations: the last
 * two may have handlers that are no beans.
 */
final class OnObservationsWantedCondition extends SpringBootCondition implements ConfigurationCondition {

    private static final String BOOT = "org.springframework.boot.";
    private static final List<String> WANTING_IF_PRESENT = List.of(
            "io.micrometer.tracing.Tracer",
            BOOT + "micrometer.observation.autoconfigure.ObservationRegistryCustomizer");
    private static final List<Class<? extends Observation.Context>> CONTEXTS =
            List.of(ProcessContext.class, SettleContext.class, SendContext.class);

    /** Its beans say what the application has. */
    @Override
    public ConfigurationPhase getConfigurationPhase() {
        return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        var message = ConditionMessage.forCondition("Observations");
        List<String> wanting = wanting(context.getBeanFactory(), context.getClassLoader());
        return wanting.isEmpty()
                ? ConditionOutcome.noMatch(
                        message.because("there is no tracer, no convention, no registry of the application"
                                + " or customizer of Boot's, and no ObservationHandler except for meters"))
                : ConditionOutcome.match(message.foundExactly(wanting.toArray()));
    }

    private static List<String> wanting(
            @Nullable ConfigurableListableBeanFactory beans, @Nullable ClassLoader classLoader) {
        if (beans == null) {
            return List.of();
        }
        List<String> found = new ArrayList<>();
        WANTING_IF_PRESENT.stream()
                .filter(type -> ClassUtils.isPresent(type, classLoader))
                .flatMap(type -> names(beans, ClassUtils.resolveClassName(type, classLoader)))
                .forEach(found::add);
        Stream.of(ProcessConvention.class, SettleConvention.class, SendConvention.class)
                .flatMap(type -> names(beans, type))
                .forEach(found::add);
        names(beans, ObservationHandler.class)
                .filter(name -> !beans.isTypeMatch(name, MeterObservationHandler.class))
                .forEach(found::add);
        names(beans, GlobalObservationConvention.class)
                .filter(name -> mayApply(definition(beans, name), beans.getType(name, false)))
                .forEach(found::add);
        names(beans, ObservationRegistry.class)
                .filter(name -> !isOfBoot(definition(beans, name)))
                .forEach(found::add);
        return found;
    }

    /** Returns whether the convention may support one of our contexts, as far as its declared type shows. */
    private static boolean mayApply(@Nullable BeanDefinition definition, @Nullable Class<?> type) {
        ResolvableType defined = definition == null ? ResolvableType.NONE : definition.getResolvableType();
        ResolvableType declared = defined.resolve() == null ? ResolvableType.forClass(type) : defined;
        Class<?> supported =
                declared.as(GlobalObservationConvention.class).getGeneric(0).resolve(Observation.Context.class);
        return CONTEXTS.stream().anyMatch(supported::isAssignableFrom);
    }

    private static boolean isOfBoot(@Nullable BeanDefinition definition) {
        MethodMetadata factory =
                definition instanceof AnnotatedBeanDefinition annotated ? annotated.getFactoryMethodMetadata() : null;
        return factory != null && factory.getDeclaringClassName().startsWith(BOOT);
    }

    /** Returns the definition of a bean here or in an ancestor, or {@code null} if the bean is a registered object. */
    private static @Nullable BeanDefinition definition(ConfigurableListableBeanFactory beans, String name) {
        try {
            return beans.getMergedBeanDefinition(name);
        } catch (NoSuchBeanDefinitionException registered) {
            return null;
        }
    }

    /** Creates no bean. */
    private static Stream<String> names(ConfigurableListableBeanFactory beans, Class<?> type) {
        return Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false));
    }
}
