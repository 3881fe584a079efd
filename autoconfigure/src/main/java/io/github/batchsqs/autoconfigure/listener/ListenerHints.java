/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import io.github.batchsqs.autoconfigure.signature.Signature;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Registers hints for ahead-of-time processing: the annotated methods, and the payload types that Jackson reads. An
 * unsupported signature ends the build, as it would end the start.
 */
final class ListenerHints implements BeanFactoryInitializationAotProcessor {

    @Override
    public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
            ConfigurableListableBeanFactory beans) {
        List<ListenerMethod> found = new ListenerMethods(beans).find();
        return found.isEmpty()
                ? null
                : (context, code) -> found.forEach(method -> register(method, context.getRuntimeHints()));
    }

    private static void register(ListenerMethod method, RuntimeHints hints) {
        hints.reflection().registerMethod(method.method(), ExecutableMode.INVOKE);
        var payload = Signature.of(method.method(), method.beanType()).payloadType();
        new BindingReflectionHintsRegistrar().registerReflectionHints(hints.reflection(), payload);
    }
}
