/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ContainerStatus;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.Progress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The container's life on real threads and a queue in memory, whose receives wait as SQS's do. */
@Execution(ExecutionMode.CONCURRENT)
class ListenerContainerTests extends ContainerFixture {

    @Test
    void aContainerThatIsPausedWhileItsReceivesFailDoesNotLookFailing() throws Exception {
        client.faults(failing(Operation.RECEIVE));
        EngineContainer container = started(collect);
        Progress.until(() -> container.status().receiveFailure() != null);

        container.pause();

        assertThat(container.status().receiveFailure()).isNull();
        assertThat(container.status().receiveFailingFor()).isZero();
        client.faults(Faults.NONE);
        client.put(queue, "a");
        container.resume();
        assertThat(take()).isEqualTo("a");
    }

    @Test
    void aStartedContainerHandlesAndDeletes() throws Exception {
        EngineContainer container = started(collect);
        assertThat(container.state()).isEqualTo(ContainerState.RUNNING);
        client.put(queue, "a", "b");
        assertThat(List.of(take(), take())).containsExactlyInAnyOrder("a", "b");

        container.stop();

        assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
        assertThat(container.status()).isEqualTo(ContainerStatus.STOPPED);
        client.assertDrained(queue);
    }

    @Test
    void anIdleStopDoesNotWaitForTheLongPoll() throws Exception {
        CountDownLatch polls = latchAt(Operation.RECEIVE, 1);
        EngineContainer container = started(collect);
        await(polls);
        container.stop();
        assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
        assertThat(client.emptyReceives()).as("polls that lasted their 20 s").isZero();
    }

    @Test
    void aStoppedContainerStartsAgain() throws Exception {
        EngineContainer container = started(collect);
        for (int i = 0; i < 3; i++) {
            client.put(queue, "m" + i);
            assertThat(take()).isEqualTo("m" + i);
            container.stop();
            container.start();
            assertThat(container.state()).isEqualTo(ContainerState.RUNNING);
        }
    }

    @Test
    void startingTwiceAndStoppingTwiceIsFine() {
        EngineContainer container = container(collect, UnaryOperator.identity());
        container.stop();
        container.start();
        container.start();
        assertThat(client.calls(Operation.RESOLVE)).isEqualTo(1);
        container.stop();
        container.stop();
        assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
    }

    @Test
    void aStartDuringAStopWaitsForIt() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        CountDownLatch runs = new CountDownLatch(1);
        EngineContainer container = started(
                batch -> {
                    runs.countDown();
                    await(mayEnd);
                    return BatchOutcome.done();
                },
                options -> options.concurrency(1).batchSize(1));
        client.put(queue, "a", "b");
        await(runs);
        CountDownLatch stopping = latchAfter(Operation.CHANGE_VISIBILITY);
        FutureTask<Void> stop = async(container::stop);
        await(stopping);
        assertThat(container.state()).isEqualTo(ContainerState.STOPPING);
        FutureTask<Void> start = async(container::start);
        mayEnd.countDown();
        get(stop);
        get(start);
        assertThat(container.state()).isEqualTo(ContainerState.RUNNING);
    }

    private final List<Integer> deletes = new CopyOnWriteArrayList<>();

    @Test
    void singleMessagesOfAGroupRunOneByOneAndAreDeletedTogether() throws Exception {
        receiveTen(options -> options);
        assertThat(deletes).containsExactly(10);
    }

    private void receiveTen(UnaryOperator<ListenerOptions.Builder> more) throws Exception {
        String[] ten = IntStream.range(0, 10).mapToObj(i -> "m" + i).toArray(String[]::new);
        client.putInGroup(fifo, "a", ten);
        CountDownLatch deleted = new CountDownLatch(10);
        client.faults(new Faults() {
            @Override
            public void after(Call call) {
                if (call.operation() == Operation.DELETE) {
                    deletes.add(call.entries());
                    IntStream.range(0, call.entries()).forEach(entry -> deleted.countDown());
                }
            }
        });
        EngineContainer container = started(
                batch -> {
                    assertThat(batch.payloads()).hasSize(1);
                    handled.addAll(batch.payloads());
                    return BatchOutcome.done();
                },
                options -> more.apply(options.queue("orders.fifo").batchSize(1).prefetch(20)),
                standingStill);
        await(deleted);
        container.stop();
        assertThat(handled).containsExactly(ten);
    }
}
