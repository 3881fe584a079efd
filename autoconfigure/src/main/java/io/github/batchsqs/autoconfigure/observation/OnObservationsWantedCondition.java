/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.observation;

import io.github.batchsqs.observation.ProcessConvention;
import io.github.batchsqs.observation.SendConvention;
import io.github.batchsqs.observation.SettleConvention;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.ObservationHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.ClassUtils;

/**
 * Whether somebody wants more of an observation than meters. The actuator alone brings a registry whose only handler makes a timer of each
 * observation, which would cost something for every message and repeat the meters of the library.
 *
 * <p>{@code batchsqs.observations.enabled} decides if it is set. Otherwise a tracer, a handler that does not make meters, or one of
 * the library's conventions wants observations.
 */
final class OnObservationsWantedCondition extends SpringBootCondition implements ConfigurationCondition {

    private static final String ENABLED = "batchsqs.observations.enabled";
    private static final String TRACER = "io.micrometer.tracing.Tracer";

    /** Its beans say what the application has. */
    @Override
    public ConfigurationPhase getConfigurationPhase() {
        return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        var message = ConditionMessage.forCondition("Observations");
        Boolean enabled = context.getEnvironment().getProperty(ENABLED, Boolean.class);
        if (enabled != null) {
            return new ConditionOutcome(enabled, message.because(ENABLED + " is " + enabled));
        }
        List<String> wanting = wanting(context.getBeanFactory(), context.getClassLoader());
        return wanting.isEmpty()
                ? ConditionOutcome.noMatch(message.because("there is no tracer, and no ObservationHandler except for"
                        + " meters; " + ENABLED + "=true observes all the same"))
                : ConditionOutcome.match(message.foundExactly(wanting.toArray()));
    }

    private static List<String> wanting(
            @Nullable ConfigurableListableBeanFactory beans, @Nullable ClassLoader classLoader) {
        if (beans == null) {
            return List.of();
        }
        List<String> found = new ArrayList<>();
        if (ClassUtils.isPresent(TRACER, classLoader)) {
            names(beans, ClassUtils.resolveClassName(TRACER, classLoader)).forEach(found::add);
        }
        Stream.of(ProcessConvention.class, SettleConvention.class, SendConvention.class)
                .flatMap(type -> names(beans, type))
                .forEach(found::add);
        names(beans, ObservationHandler.class)
                .filter(name -> !beans.isTypeMatch(name, MeterObservationHandler.class))
                .forEach(found::add);
        return found;
    }

    /** Creates no bean. */
    private static Stream<String> names(ConfigurableListableBeanFactory beans, Class<?> type) {
        return Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false));
    }
}
