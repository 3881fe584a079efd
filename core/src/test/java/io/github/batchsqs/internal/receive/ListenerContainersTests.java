/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.client.QueueNotFoundException;
import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ListenerStartException;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.Progress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ListenerContainersTests extends ContainerFixture {

    private final ContainerRegistry containers = new ContainerRegistry();

    @Test
    void containersAreFoundByTheirIds() {
        var b = register("b");
        var a = register("a");

        assertThat(containers.all()).containsExactly(a, b);
        assertThat(containers.get("b")).isSameAs(b);
        assertThat(containers.find("c")).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> containers.get("c"))
                .withMessage("There is no listener with the id 'c'; there are: [a, b]");
    }

    @Test
    void anIdIsTakenOnce() {
        register("a");
        var other = container("a", "a", BatchListener.of(batch -> {}));

        assertThatExceptionOfType(InvalidOptionException.class)
                .isThrownBy(() -> containers.register(other))
                .withMessageStartingWith("id must be unique, but is a");
    }

    @Test
    void allAreStartedPausedResumedAndStopped() {
        var a = register("a");
        var b = register("b");

        containers.start();
        assertThat(List.of(a.state(), b.state())).containsOnly(ContainerState.RUNNING);
        containers.pause();
        assertThat(List.of(a.state(), b.state())).containsOnly(ContainerState.PAUSED);
        containers.resume();
        assertThat(List.of(a.state(), b.state())).containsOnly(ContainerState.RUNNING);
        containers.stop();
        assertThat(List.of(a.state(), b.state())).containsOnly(ContainerState.STOPPED);
    }

    @Test
    void whenOneDoesNotStartThoseStartedWithItAreStoppedAgain() {
        var earlier = register("earlier");
        earlier.start();
        var fine = register("fine");
        containers.register(container("lost", "nowhere", batch -> {
            throw new IllegalStateException();
        }));

        assertThatExceptionOfType(ListenerStartException.class)
                .isThrownBy(containers::start)
                .withCauseInstanceOf(QueueNotFoundException.class)
                .returns("lost", ListenerStartException::listener);
        assertThat(fine.state()).isEqualTo(ContainerState.STOPPED);
        assertThat(earlier.state()).isEqualTo(ContainerState.RUNNING);
    }

    @Test
    void allStopAtOnce() throws Exception {
        var running = new CountDownLatch(2);
        var release = new CountDownLatch(1);
        for (String id : List.of("a", "b")) {
            client.put(client.createQueue(id), "text");
            containers.register(container(id, id, BatchListener.of(batch -> {
                running.countDown();
                Progress.await(release);
            })));
        }
        containers.start();
        Progress.await(running);

        var stopped = CompletableFuture.runAsync(containers::stop);
        Progress.until(() -> {
            assertThat(stopped).isNotDone();
            return containers.all().stream().allMatch(each -> each.state() == ContainerState.STOPPING);
        });
        release.countDown();

        assertThat(Progress.done(stopped)).isCompleted();
        client.assertDrained(client.resolve("a"));
        client.assertDrained(client.resolve("b"));
    }

    @Test
    void aRemovedContainerIsNeitherStartedNorRegisteredAgain() {
        var a = register("a");
        a.start();
        containers.remove("a");
        containers.remove("a");
        assertThat(a.state()).isEqualTo(ContainerState.STOPPED);
        assertThat(containers.all()).isEmpty();
        String refusal = "Listener a was removed and cannot be used any more; create it again";

        assertThatExceptionOfType(BatchSqsException.class).isThrownBy(a::start).withMessage(refusal);
        assertThatExceptionOfType(BatchSqsException.class)
                .isThrownBy(() -> containers.register(a))
                .withMessage(refusal);
    }

    @Test
    void aContainerThatIsRemovedDuringAStartIsLeftOut() {
        var a = register("a");
        var b = register("b");

        try (LogCapture log = LogCapture.warnings()) {
            containers.start(each -> {
                containers.remove("a");
                return true;
            });
            assertThat(log.events())
                    .anySatisfy(line -> assertThat(line)
                            .contains("Listener a was removed and cannot be used any more; create it again"));
        }
        assertThat(a.state()).isEqualTo(ContainerState.STOPPED);
        assertThat(b.state()).isEqualTo(ContainerState.RUNNING);
        assertThat(containers.all()).containsExactly(b);
    }

    @Test
    void neitherItsHandlerNorAnotherThreadStartsAContainerWhoseRemovalWaitsForThatHandler() throws Exception {
        var running = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        var self = new AtomicReference<EngineContainer>();
        var startedInHandler = new CompletableFuture<Void>();
        client.put(client.createQueue("a"), "text");
        var a = container("a", "a", BatchListener.of(batch -> {
            running.countDown();
            Progress.await(release);
            complete(startedInHandler, self.get()::start);
        }));
        self.set(a);
        containers.register(a);
        a.start();
        Progress.await(running);

        var removed = CompletableFuture.runAsync(() -> containers.remove("a"));
        Progress.until(a::state, ContainerState.STOPPING);
        var startedElsewhere = CompletableFuture.runAsync(a::start);
        release.countDown();

        assertThat(Progress.failure(startedInHandler)).hasMessageContaining("was removed");
        assertThat(Progress.failure(startedElsewhere)).hasMessageContaining("was removed");
        Progress.get(removed);
        assertThat(a.state()).isEqualTo(ContainerState.STOPPED);
    }

    private static void complete(CompletableFuture<Void> future, Runnable action) {
        try {
            action.run();
            future.complete(null);
        } catch (RuntimeException e) {
            future.completeExceptionally(e);
        }
    }

    private EngineContainer register(String id) {
        client.createQueue(id);
        var container = container(id, id, BatchListener.of(batch -> {}));
        containers.register(container);
        return container;
    }

    private EngineContainer container(String id, String queueName, BatchListener<String> listener) {
        return container(listener, options -> options.id(id).queue(queueName));
    }
}
