/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ListenerOptions.InvocationExecutor;
import io.github.batchsqs.testkit.Progress;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Handlers that do what no handler should; a listener outlives each of them and loses nothing. */
@Execution(ExecutionMode.CONCURRENT)
class MisbehavingHandlerTests extends ContainerFixture {

    @Test
    void anErrorFailsItsBatchAndTheListenerGoesOn() {
        client.put(queue, "bad", "good");
        EngineContainer container = started(
                batch -> {
                    handled.addAll(batch.payloads());
                    if (handled.stream().filter("bad"::equals).count() == 1
                            && batch.payloads().contains("bad")) {
                        throw overflow();
                    }
                    return BatchOutcome.done();
                },
                options -> options.batchSize(1));

        Progress.until(() -> client.deleted(queue).size() == 2);

        assertThat(handled).containsExactlyInAnyOrder("bad", "bad", "good");
        assertThat(container.state()).isEqualTo(ContainerState.RUNNING);
        container.stop();
        client.assertDrained(queue);
    }

    /** A real one: the thread's stack is used up where the handler is. */
    @SuppressWarnings("InfiniteRecursion")
    private static Error overflow() {
        return overflow();
    }

    @Test
    void onVirtualThreadsNoInvocationSeesAThreadLocalThatAnotherLeft() {
        assertThat(whatIsLeftInAThreadLocal(options -> options.concurrency(1).batchSize(1)))
                .containsExactly("nothing", "nothing", "nothing");
    }

    /** A pool's threads are used again, and nobody can clear the thread-locals of others: see docs/operations.md. */
    @Test
    void onPlatformThreadsAnInvocationSeesTheThreadLocalsThatItsThreadWasLeftWith() {
        assertThat(whatIsLeftInAThreadLocal(this::oneAfterTheOther)).containsExactly("nothing", "left", "left");
    }

    private List<String> whatIsLeftInAThreadLocal(UnaryOperator<ListenerOptions.Builder> options) {
        ThreadLocal<String> leaked = ThreadLocal.withInitial(() -> "nothing");
        client.put(queue, "a", "b", "c");
        started(
                BatchListener.of(batch -> {
                    handled.add(leaked.get());
                    leaked.set("left");
                }),
                options);
        Progress.until(() -> client.deleted(queue).size() == 3);
        return List.copyOf(handled);
    }

    /** One platform thread, used again for each batch. */
    private ListenerOptions.Builder oneAfterTheOther(ListenerOptions.Builder options) {
        return options.concurrency(1).batchSize(1).executor(new InvocationExecutor.Platform());
    }
}
