/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.observation;

import io.github.batchsqs.observation.ProcessConvention;
import io.github.batchsqs.observation.SendConvention;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.ObservationHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
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
 * Whether somebody wants more of an observation than meters: a tracer, a handler that does not make meters, or a convention of ours.
 * The actuator alone brings a registry whose only handler makes a timer of each observation, which would cost something for
 * every message and repeat the meters of the library.
 */
final class OnObservationsWantedCondition extends SpringBootCondition implements ConfigurationCondition {

    private static final String TRACER = "io.micrometer.tracing.Tracer";

    /** Its beans say what the application has. */
    @Override
    public ConfigurationPhase getConfigurationPhase() {
        return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        var message = ConditionMessage.forCondition("Observations");
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        List<String> wanting = new ArrayList<>();
        if (beans != null) {
            Stream.of(ProcessConvention.class, SendConvention.class)
                    .flatMap(type -> names(beans, type))
                    .forEach(wanting::add);
            names(beans, ObservationHandler.class)
                    .filter(name -> !beans.isTypeMatch(name, MeterObservationHandler.class))
                    .forEach(wanting::add);
            if (ClassUtils.isPresent(TRACER, context.getClassLoader())) {
                names(beans, ClassUtils.resolveClassName(TRACER, context.getClassLoader()))
                        .forEach(wanting::add);
            }
        }
        return wanting.isEmpty()
                ? ConditionOutcome.noMatch(message.because(
                        "there is no tracer, no convention, and no ObservationHandler except for meters"))
                : ConditionOutcome.match(message.foundExactly(wanting.toArray()));
    }

    /** Creates no bean. */
    private static Stream<String> names(ConfigurableListableBeanFactory beans, Class<?> type) {
        return Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false));
    }
}
