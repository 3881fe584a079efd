/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import io.github.batchsqs.autoconfigure.internal.signature.Handlers;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Registers hints for ahead-of-time processing: the annotated methods, and the payload types that Jackson reads, with their
 * common supertype. An unsupported signature ends the build, as it would end the start.
 */
final class ListenerHints implements BeanFactoryInitializationAotProcessor {

    @Override
    public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
            ConfigurableListableBeanFactory beans) {
        List<AnnotatedListener> found = new ListenerMethods(beans).find();
        return found.isEmpty()
                ? null
                : (context, code) -> found.forEach(listener -> register(listener, context.getRuntimeHints()));
    }

    private static void register(AnnotatedListener listener, RuntimeHints hints) {
        var binding = new BindingReflectionHintsRegistrar();
        listener.methods().forEach(method -> hints.reflection().registerMethod(method, ExecutableMode.INVOKE));
        Handlers handlers = listener.handlers();
        handlers.signatures().forEach(each -> binding.registerReflectionHints(hints.reflection(), each.payloadType()));
        Type common = listener.ofClass() ? TypedPayloads.common(handlers) : null;
        if (common != null) {
            binding.registerReflectionHints(hints.reflection(), common);
        }
    }
}
