/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.options;

import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ListenerOptions.InvocationExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Converts the settings that are text into values of options, and values of options into text.
 *
 * @param beans has the executors; its class loader finds exception classes
 */
public record SettingConversions(ConfigurableListableBeanFactory beans) {

    static final String AUTO = "auto";
    static final String VIRTUAL = "virtual";

    /** Returns a value as it is written in settings. */
    public static String text(@Nullable Object value) {
        return switch (value) {
            case null -> "the queue's own";
            case Duration duration -> Check.text(duration);
            case Enum<?> constant -> constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
            case Collection<?> names ->
                String.join(",", names.stream().map(SettingConversions::text).toList());
            default -> value.toString();
        };
    }

    static int prefetch(String text) {
        String stripped = text.strip().toLowerCase(Locale.ROOT);
        Check.that(
                stripped.matches("auto|\\d{1,9}"),
                "prefetch",
                "must be auto, or a number of messages",
                text,
                "set auto, 0 or more");
        return stripped.equals(AUTO) ? ListenerOptions.AUTO_PREFETCH : Integer.parseInt(stripped);
    }

    static String prefetchText(int prefetch) {
        return prefetch == ListenerOptions.AUTO_PREFETCH ? AUTO : String.valueOf(prefetch);
    }

    List<Class<? extends Throwable>> exceptions(String key, List<String> names) {
        var classes = new ArrayList<Class<? extends Throwable>>();
        for (String name : names) {
            try {
                classes.add(ClassUtils.forName(name, beans.getBeanClassLoader()).asSubclass(Throwable.class));
            } catch (ClassNotFoundException | ClassCastException noException) {
                throw new InvalidOptionException(
                        key,
                        "must name exceptions on the class path",
                        name,
                        "write the full name, for example java.lang.IllegalArgumentException");
            }
        }
        return classes;
    }

    static List<String> names(List<Class<? extends Throwable>> classes) {
        return classes.stream().map(Class::getName).toList();
    }

    InvocationExecutor executor(String name) {
        return switch (name) {
            case VIRTUAL -> new InvocationExecutor.Virtual();
            case "platform" -> new InvocationExecutor.Platform();
            default -> custom(name);
        };
    }

    private InvocationExecutor custom(String name) {
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

    static String executorText(InvocationExecutor executor) {
        return switch (executor) {
            case InvocationExecutor.Virtual virtual -> VIRTUAL;
            case InvocationExecutor.Platform platform -> "platform";
            case InvocationExecutor.Custom custom ->
                custom.executor().getClass().getName();
        };
    }
}
