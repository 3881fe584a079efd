/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.Supervised;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ListenerStartException;
import io.github.batchsqs.receive.ListenerContainer;
import io.github.batchsqs.receive.ListenerContainers;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The containers of an application. */
public final class ContainerRegistry implements ListenerContainers {

    private static final Logger log = LoggerFactory.getLogger(ListenerContainer.class);

    private final Map<String, EngineContainer> byId = new ConcurrentSkipListMap<>();

    /** The ids of those that are registered, or have not stopped since they were removed: another one would share their meters. */
    private final Set<String> taken = ConcurrentHashMap.newKeySet();

    /** Creates an empty registry. */
    public ContainerRegistry() {}

    /**
     * Adds a container as it is: a stopped one is not started.
     *
     * @param container the container
     * @throws io.github.batchsqs.errors.InvalidOptionException if there is one with its id, or one that was removed and has not stopped
     * @throws io.github.batchsqs.errors.BatchSqsException if it was removed
     */
    public void register(EngineContainer container) {
        container.refuseIfRemoved();
        String id = container.options().id();
        Check.that(
                taken.add(id),
                "id",
                "must be unique",
                id,
                "remove the listener that has it and wait until it has stopped, or set another id");
        byId.put(id, container);
    }

    @Override
    public void remove(String id) {
        EngineContainer removed = byId.remove(id);
        if (removed != null) {
            removed.remove(() -> taken.remove(id));
        }
    }

    @Override
    public Optional<ListenerContainer> find(String id) {
        return Optional.ofNullable(byId.get(id));
    }

    @Override
    public ListenerContainer get(String id) {
        return find(id).orElseThrow(() -> new IllegalArgumentException(
                "There is no listener with the id '" + id + "'; there are: " + byId.keySet()));
    }

    @Override
    public List<ListenerContainer> all() {
        return List.copyOf(byId.values());
    }

    @Override
    public void start() {
        start(container -> true);
    }

    /**
     * Starts some of the containers and blocks until all of them have found their queues. One that was removed, perhaps meanwhile, is left
     * out, with a warning in the log.
     *
     * @param which decides for each container whether it starts
     * @throws ListenerStartException if one fails; then those that this call started are stopped again, and the failures
     *     of others are suppressed in that of the first
     */
    public void start(Predicate<ListenerContainer> which) {
        List<EngineContainer> starting = byId.values().stream()
                .filter(which)
                .filter(each -> each.state() == ContainerState.STOPPED || each.state() == ContainerState.STOPPING)
                .toList();
        Supervised.start(() -> startAtOnce(starting), () -> stop(starting));
    }

    private static void startAtOnce(List<EngineContainer> containers) {
        List<CompletableFuture<Optional<ListenerStartException>>> starts = containers.stream()
                .map(each -> CompletableFuture.supplyAsync(
                        () -> failureOfStart(each),
                        start -> ContainerThreads.start(each.options().id(), start)))
                .toList();
        List<ListenerStartException> failures = starts.stream()
                .map(CompletableFuture::join)
                .flatMap(Optional::stream)
                .toList();
        if (!failures.isEmpty()) {
            ListenerStartException first = failures.getFirst();
            failures.stream().skip(1).forEach(first::addSuppressed);
            throw first;
        }
    }

    private static Optional<ListenerStartException> failureOfStart(EngineContainer container) {
        Throwable failure = ForeignCode.run(container::start); // of the resolver, for example
        if (failure != null && container.isRemoved()) { // which is no reason to stop the others
            log.warn("{}", failure.getMessage());
            return Optional.empty();
        }
        return Optional.ofNullable(failure)
                .map(e -> new ListenerStartException(container.options().id(), e));
    }

    @Override
    public void stop() {
        stop(byId.values());
    }

    private static void stop(Collection<EngineContainer> containers) {
        List<Run> stopping =
                containers.stream().map(EngineContainer::requestStop).toList();
        stopping.forEach(Run::awaitStopped);
    }

    @Override
    public void pause() {
        all().forEach(ListenerContainer::pause);
    }

    @Override
    public void resume() {
        all().forEach(ListenerContainer::resume);
    }
}
