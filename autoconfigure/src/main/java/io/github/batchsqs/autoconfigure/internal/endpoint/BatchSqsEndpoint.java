/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.endpoint;

import io.github.batchsqs.autoconfigure.internal.options.ListenerSettingsReport;
import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.receive.ListenerContainer;
import io.github.batchsqs.receive.ListenerContainers;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * The endpoint {@code batchsqs}: reports listeners, and controls them where its access is {@code unrestricted}. By default it
 * is {@code read-only}.
 *
 * <p>The response to a failed request is a {@link WebEndpointResponse} with an {@code error}: 404 for an unknown listener,
 * 400 for an invalid request, 503 if SQS refused a call. All operations run on the caller's thread; a stop takes up to the
 * listener's {@code shutdown-timeout}.
 */
@Endpoint(id = "batchsqs", defaultAccess = Access.READ_ONLY)
public final class BatchSqsEndpoint {

    private static final String OPERATIONS = "pause, resume, start, stop, concurrency, pollers, redrive";

    private final ListenerContainers containers;
    private final ListenerSettingsReport settings;
    private final ListenerRedrive redrive;

    BatchSqsEndpoint(ListenerContainers containers, ListenerSettingsReport settings, ListenerRedrive redrive) {
        this.containers = containers;
        this.settings = settings;
        this.redrive = redrive;
    }

    /** Every listener. */
    @ReadOperation
    public Map<String, Map<String, ListenerReport>> listeners() {
        var reports = new LinkedHashMap<String, ListenerReport>();
        containers.all().forEach(each -> reports.put(each.options().id(), report(each)));
        return Map.of("listeners", reports);
    }

    /** One listener. */
    @ReadOperation
    public Object listener(@Selector String id) {
        return with(id, this::report);
    }

    /**
     * Changes the state of a listener and returns its report, or starts a task that redrives its dead-letter queue.
     *
     * @param operation {@code pause}, {@code resume}, {@code start}, {@code stop}, {@code concurrency}, {@code pollers}
     *     or {@code redrive}
     * @param concurrency for {@code concurrency}: invocations at once, or {@code auto}
     * @param min for {@code pollers}: receives at once when idle; left out, it stays
     * @param max for {@code pollers}: receives at once under load; left out, it stays
     * @param destination for {@code redrive}: a queue, or {@code source}
     * @param messagesPerSecond for {@code redrive}: 1 to 500
     */
    @WriteOperation
    public Object steer(
            @Selector String id,
            @Selector String operation,
            @Nullable String concurrency,
            @Nullable String min,
            @Nullable String max,
            @Nullable String destination,
            @Nullable String messagesPerSecond) {
        return with(id, container -> {
            switch (operation) {
                case "pause" -> pause(container);
                case "resume" -> resume(container);
                case "start" -> container.start();
                case "stop" -> container.stop();
                case "concurrency" -> container.setConcurrency(concurrency(concurrency));
                case "pollers" -> pollers(container, min, max);
                case "redrive" -> {
                    return redrive.start(container, destination, number("messagesPerSecond", messagesPerSecond));
                }
                default ->
                    throw new InvalidOptionException(
                            "operation", "must be one of " + OPERATIONS, operation, "correct the path");
            }
            return report(container);
        });
    }

    private ListenerReport report(ListenerContainer container) {
        return ListenerReport.of(container, settings);
    }

    private static void pause(ListenerContainer container) {
        requireState(container, "pause", ContainerState.RUNNING, ContainerState.PAUSED);
        container.pause();
    }

    private static void resume(ListenerContainer container) {
        requireState(container, "resume", ContainerState.PAUSED, ContainerState.RUNNING);
        container.resume();
    }

    private static void requireState(
            ListenerContainer container, String operation, ContainerState from, ContainerState already) {
        ContainerState state = container.state();
        Check.that(
                state == from || state == already,
                "the listener '" + container.options().id() + "'",
                "must be " + from + " to " + operation,
                state,
                "start it first");
    }

    private static void pollers(ListenerContainer container, @Nullable String min, @Nullable String max) {
        Integer newMin = number("min", min);
        Integer newMax = number("max", max);
        Check.that(
                newMin != null || newMax != null,
                "pollers",
                "must have min, max or both",
                "without",
                "send {\"min\": 1, \"max\": 8}");
        container.changePollers(current -> new ListenerOptions.Pollers(
                newMin == null ? current.min() : newMin,
                newMax == null ? current.max() : newMax,
                current.minInterval()));
    }

    private static int concurrency(@Nullable String text) {
        if ("auto".equalsIgnoreCase(text)) {
            return ListenerOptions.AUTO_CONCURRENCY;
        }
        Integer value = number("concurrency", text);
        if (value == null) {
            throw new InvalidOptionException(
                    "concurrency",
                    "must be set",
                    "missing",
                    "send {\"concurrency\": 8} or {\"concurrency\": \"auto\"}");
        }
        Check.atLeast("concurrency", value, 1);
        return value;
    }

    private static @Nullable Integer number(String name, @Nullable String text) {
        try {
            return text == null ? null : Integer.valueOf(text);
        } catch (NumberFormatException notANumber) {
            throw new InvalidOptionException(
                    name, "must be a whole number", String.valueOf(text), "send {\"" + name + "\": 8}");
        }
    }

    private Object with(String id, Work work) {
        ListenerContainer container = containers.find(id).orElse(null);
        if (container == null) {
            return error(
                    WebEndpointResponse.STATUS_NOT_FOUND,
                    "There is no listener with the id '" + id + "'; the ids are "
                            + containers.all().stream()
                                    .map(each -> each.options().id())
                                    .toList());
        }
        try {
            return work.on(container);
        } catch (InvalidOptionException broken) {
            return error(WebEndpointResponse.STATUS_BAD_REQUEST, broken.getMessage());
        } catch (BatchSqsException failed) {
            return error(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, failed.getMessage());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return error(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, "The thread of the request was interrupted");
        }
    }

    private static WebEndpointResponse<Map<String, String>> error(int status, @Nullable String message) {
        return new WebEndpointResponse<>(Map.of("error", String.valueOf(message)), status);
    }

    /** An operation on a listener. */
    @FunctionalInterface
    private interface Work {
        Object on(ListenerContainer container) throws InterruptedException;
    }
}
