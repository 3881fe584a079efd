/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.Check;
import io.github.batchsqs.InvalidOptionException;
import io.github.batchsqs.autoconfigure.settings.ListenerSettings;
import io.github.batchsqs.receive.ListenerOptions;
import io.github.batchsqs.receive.ListenerOptions.Acknowledge;
import io.github.batchsqs.receive.ListenerOptions.Failure;
import io.github.batchsqs.receive.ListenerOptions.InvocationExecutor;
import io.github.batchsqs.receive.ListenerOptions.Pollers;
import io.github.batchsqs.receive.ListenerOptions.Visibility;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes options of settings. The only place where the two meet.
 *
 * <p>A value that breaks a rule ends in an {@link InvalidOptionException} that names the key as the user wrote it, in the
 * place where it was set.
 */
final class ListenerOptionsMapper {

    private final Function<String, InvocationExecutor> executorBeans;
    private final ClassLoader classLoader;

    /**
     * @param executorBeans finds the executor of a name; throws {@link InvalidOptionException} about
     *     {@code executor} if there is none
     * @param classLoader finds exception classes
     */
    ListenerOptionsMapper(Function<String, InvocationExecutor> executorBeans, ClassLoader classLoader) {
        this.executorBeans = executorBeans;
        this.classLoader = classLoader;
    }

    /**
     * The options of one container.
     *
     * @param settings what was set, and where
     * @param single whether the handler takes one message at a time
     */
    ListenerOptions map(String id, String queue, LayeredSettings settings, boolean single) {
        try {
            return options(id, queue, settings, single);
        } catch (InvalidOptionException broken) {
            throw settings.named(broken, id);
        }
    }

    private ListenerOptions options(String id, String queue, LayeredSettings settings, boolean single) {
        var defaults = ListenerOptions.builder(id, queue).build();
        return defaults.toBuilder()
                .batchSize(
                        single
                                ? one(settings)
                                : settings.get("batch-size", ListenerSettings::batchSize, defaults.batchSize()))
                .batchLinger(settings.get("batch-linger", ListenerSettings::batchLinger, defaults.batchLinger()))
                .concurrency(settings.get("concurrency", ListenerSettings::concurrency, defaults.concurrency()))
                .pollers(pollers(settings, defaults.pollers()))
                .waitTime(settings.get("wait-time", ListenerSettings::waitTime, defaults.waitTime()))
                .prefetch(prefetch(settings.find("prefetch", ListenerSettings::prefetch), defaults.prefetch()))
                .visibility(visibility(settings, defaults.visibility()))
                .acknowledge(acknowledge(settings, defaults.acknowledge()))
                .failure(failure(settings, defaults.failure()))
                .rateLimit(settings.get("rate-limit", ListenerSettings::rateLimit, defaults.rateLimit()))
                .fifoGrouping(settings.get(
                        "fifo.batch-grouping", each -> each.fifo().batchGrouping(), defaults.fifoGrouping()))
                .executor(executor(settings.find("executor", ListenerSettings::executor), defaults.executor()))
                .queueNotFound(
                        settings.get("queue-not-found", ListenerSettings::queueNotFound, defaults.queueNotFound()))
                .shutdownTimeout(
                        settings.get("shutdown-timeout", ListenerSettings::shutdownTimeout, defaults.shutdownTimeout()))
                .build();
    }

    /** A default for all listeners does not concern one that takes single messages; a setting of its own would. */
    private static int one(LayeredSettings settings) {
        Integer own = settings.findOwn("batch-size", ListenerSettings::batchSize);
        Check.that(
                own == null || own == 1,
                "batch-size",
                "must be 1, since the method takes one message",
                String.valueOf(own),
                "let the method take a List, or remove the setting");
        return 1;
    }

    private static Pollers pollers(LayeredSettings settings, Pollers defaults) {
        return new Pollers(
                settings.get("pollers.min", each -> each.pollers().min(), defaults.min()),
                settings.get("pollers.max", each -> each.pollers().max(), defaults.max()),
                settings.get("pollers.pace", each -> each.pollers().pace(), defaults.pace()));
    }

    private static int prefetch(@Nullable String value, int defaultValue) {
        if (value == null) {
            return defaultValue;
        }
        if (value.equalsIgnoreCase("auto")) {
            return ListenerOptions.AUTO_PREFETCH;
        }
        try {
            return Integer.parseUnsignedInt(value);
        } catch (NumberFormatException notANumber) {
            throw new InvalidOptionException(
                    "prefetch", "must be auto, or a number of messages", value, "set auto, 0 or more");
        }
    }

    private static Visibility visibility(LayeredSettings settings, Visibility defaults) {
        return new Visibility(
                settings.find("visibility.timeout", each -> each.visibility().timeout()),
                settings.get("visibility.extend", each -> each.visibility().extend(), defaults.extend()),
                settings.get(
                        "visibility.max-extension", each -> each.visibility().maxExtension(), defaults.maxExtension()));
    }

    private static Acknowledge acknowledge(LayeredSettings settings, Acknowledge defaults) {
        return new Acknowledge(
                settings.get("acknowledge.mode", each -> each.acknowledge().mode(), defaults.mode()),
                settings.get("acknowledge.linger", each -> each.acknowledge().linger(), defaults.linger()),
                settings.get(
                        "acknowledge.max-in-flight", each -> each.acknowledge().maxInFlight(), defaults.maxInFlight()));
    }

    private Failure failure(LayeredSettings settings, Failure defaults) {
        List<String> nonRetryable =
                settings.get("failure.non-retryable", each -> each.failure().nonRetryable(), List.of());
        return new Failure(
                backoff(settings, defaults.backoff()),
                settings.get("failure.isolate", each -> each.failure().isolate(), defaults.isolate()),
                exceptions(nonRetryable),
                settings.get("failure.dead-letter", each -> each.failure().deadLetter(), defaults.deadLetter()));
    }

    private static Backoff backoff(LayeredSettings settings, Backoff defaults) {
        return new Backoff(
                settings.get(
                        "failure.backoff.initial",
                        each -> each.failure().backoff().initial(),
                        defaults.initial()),
                settings.get(
                        "failure.backoff.multiplier",
                        each -> each.failure().backoff().multiplier(),
                        defaults.multiplier()),
                settings.get(
                        "failure.backoff.max", each -> each.failure().backoff().max(), defaults.max()),
                settings.get(
                        "failure.backoff.jitter",
                        each -> each.failure().backoff().jitter(),
                        defaults.jitter()));
    }

    private List<Class<? extends Throwable>> exceptions(List<String> names) {
        var classes = new ArrayList<Class<? extends Throwable>>();
        for (String name : names) {
            try {
                classes.add(Class.forName(name, false, classLoader).asSubclass(Throwable.class));
            } catch (ClassNotFoundException notFound) {
                throw notAnException("must name classes on the class path", name);
            } catch (ClassCastException notThrowable) {
                throw notAnException("must name exceptions", name);
            }
        }
        return classes;
    }

    private static InvalidOptionException notAnException(String rule, String name) {
        return new InvalidOptionException(
                "failure.non-retryable",
                rule,
                name,
                "write the full name, for example java.lang.IllegalArgumentException");
    }

    private InvocationExecutor executor(@Nullable String name, InvocationExecutor defaultExecutor) {
        if (name == null) {
            return defaultExecutor;
        }
        return switch (name) {
            case "virtual" -> new InvocationExecutor.Virtual();
            case "platform" -> new InvocationExecutor.Platform();
            default -> executorBeans.apply(name);
        };
    }
}
