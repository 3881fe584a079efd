/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.autoconfigure.internal.client.NamedClient;
import io.github.batchsqs.autoconfigure.internal.client.NamedClients;
import io.github.batchsqs.autoconfigure.internal.events.ListenerEventPublisher;
import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.events.MicrometerListenerEvents;
import io.github.batchsqs.internal.observation.Observations;
import io.github.batchsqs.internal.receive.ContainerRegistry;
import io.github.batchsqs.internal.receive.EngineContainer;
import io.github.batchsqs.internal.receive.ListenerResources;
import io.github.batchsqs.internal.receive.delivery.MessageMemory;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.internal.support.GuardedEvents;
import io.github.batchsqs.internal.support.SqsLimits;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.BatchInterceptor;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ReceiveGate;
import io.github.batchsqs.payload.PayloadStore;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.ClassUtils;

/** Creates containers with the beans of the application. Records meters if there is a registry. */
record ListenerContainerFactory(
        NamedClients clients,
        ObjectProvider<BatchInterceptor> interceptors,
        ObjectProvider<ErrorHook> errorHooks,
        ObjectProvider<ListenerEvents> observers,
        ObjectProvider<MeterRegistry> meters,
        ObjectProvider<Observations> observations,
        ListenerEventPublisher publisher,
        ObjectProvider<Map<String, ReceiveGate>> allGates,
        MessageMemory memory,
        ObjectProvider<PayloadStore> payloads,
        ContainerRegistry containers) {

    private static final Logger log = LoggerFactory.getLogger(ListenerContainerFactory.class);

    /** What the first throws does not keep the second from the message. */
    private static ErrorHook both(ErrorHook first, ErrorHook second) {
        return (queue, message, cause) -> {
            try {
                first.failed(queue, message, cause);
            } finally {
                second.failed(queue, message, cause);
            }
        };
    }

    /**
     * Registers a container that is not started, and returns it.
     *
     * @param ids the ids by which gates may name it; a gate without listeners is asked by all
     * @throws io.github.batchsqs.errors.InvalidOptionException if there is one with its id, or one that was removed and has not stopped
     */
    EngineContainer create(
            ListenerOptions options,
            Set<String> ids,
            Function<ReceivedMessage, Object> payloadReader,
            BatchListener<Object> listener) {
        String id = options.id();
        Map<String, ReceiveGate> asked = new LinkedHashMap<>(gates());
        asked.values().removeIf(gate -> !gate.listeners().isEmpty() && Collections.disjoint(gate.listeners(), ids));
        if (listener instanceof ReceiveGate inbox) { // its database is asked too
            ReceiveGate unused = asked.put(asked.containsKey("inbox") ? "inbox of " + id : "inbox", inbox);
        }
        ErrorHook errorHook = errorHooks.orderedStream().reduce(ErrorHook.NONE, ListenerContainerFactory::both);
        var handler = new ListenerHandler<>(payloadReader, listener, interceptors(options), errorHook);
        String queue = SqsLimits.queueName(options.queue());
        MeterRegistry registry = meters.getIfAvailable();
        var metered = registry == null ? null : new MicrometerListenerEvents(registry, id, queue, options.client());
        ListenerEvents events = events(id, queue, options.client(), metered);
        var container = new EngineContainer(options, handler, resources(options, events, asked));
        containers.register(container); // before the gauges, which are those of the first one with its id
        if (metered != null) {
            metered.gauges(container::status);
        }
        return container;
    }

    private ListenerEvents events(String id, String queue, String client, @Nullable ListenerEvents metered) {
        List<ListenerEvents> receivers = new ArrayList<>();
        if (metered != null) {
            receivers.add(metered);
        }
        receivers.add(publisher.of(id, queue, client));
        observers.orderedStream().forEach(each -> receivers.add(each.forListener(id, queue, client)));
        List<GuardedEvents<ListenerEvent>> guarded =
                receivers.stream().map(each -> guarded(id, each)).toList();
        return event -> {
            for (GuardedEvents<ListenerEvent> receiver : guarded) {
                receiver.accept(event);
            }
        };
    }

    private static GuardedEvents<ListenerEvent> guarded(String id, ListenerEvents receiver) {
        String name = ClassUtils.getUserClass(receiver).getName();
        return new GuardedEvents<>(
                receiver::on, log, "Listener " + id + ": the ListenerEvents " + name, TimeSource.system());
    }

    /** The observation is the outermost, so that interceptors of the application run within it. */
    private List<BatchInterceptor> interceptors(ListenerOptions options) {
        return Stream.concat(
                        observations.stream().map(each -> each.batches(options.id(), options.client())),
                        interceptors.orderedStream())
                .toList();
    }

    /**
     * Returns the gates by the names of their beans. Not asked for before the first listener needs them, so that one which cannot be
     * created then ends the start instead of being left out.
     */
    Map<String, ReceiveGate> gates() {
        return allGates.getIfAvailable(Map::of);
    }

    private ListenerResources resources(
            ListenerOptions options, ListenerEvents events, Map<String, ReceiveGate> asked) {
        NamedClient client = clients.get(options.client());
        return new ListenerResources(
                client.queues(),
                client.resolver(),
                events,
                TimeSource.system(),
                asked,
                memory,
                payloads.getIfAvailable());
    }
}
