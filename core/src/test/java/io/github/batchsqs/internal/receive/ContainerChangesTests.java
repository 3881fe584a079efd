/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.Progress;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Pauses and live changes of a running container. */
@Execution(ExecutionMode.CONCURRENT)
class ContainerChangesTests extends ContainerFixture {

    @Test
    void aPausedContainerReceivesNothingAndAResumedOneGoesOn() throws Exception {
        EngineContainer container = started(collect);
        container.pause();
        container.pause();
        assertThat(container.state()).isEqualTo(ContainerState.PAUSED);
        assertThat(container.status().pollers()).isZero();
        client.put(queue, "a");
        assertThat(client.visible(queue)).hasSize(1);

        container.resume();
        container.resume();

        assertThat(container.state()).isEqualTo(ContainerState.RUNNING);
        assertThat(take()).isEqualTo("a");
    }

    @Test
    void aStoppedContainerNeitherPausesNorResumes() {
        EngineContainer container = container(collect, UnaryOperator.identity());
        container.pause();
        container.resume();
        assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
    }

    @Test
    void moreConcurrencyAppliesAtOnceAndAfterARestart() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch both = new CountDownLatch(2);
        EngineContainer container = started(
                batch -> {
                    first.countDown();
                    both.countDown();
                    await(mayEnd);
                    return BatchOutcome.done();
                },
                options -> options.concurrency(1).batchSize(1));
        client.put(queue, "a", "b");
        await(first);
        assertThat(container.status().activeInvocations()).isEqualTo(1);
        container.setConcurrency(2);
        await(both);
        assertThat(container.status().activeInvocations()).isEqualTo(2);
        mayEnd.countDown();
        container.stop();
        container.start();
        assertThat(container.options().concurrency()).isEqualTo(2);
    }

    @Test
    void theLimitIsNeverBelowWhatIsHeld() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        EngineContainer container = started(
                batch -> {
                    await(mayEnd);
                    handled.addAll(batch.payloads());
                    return BatchOutcome.done();
                },
                options -> options.concurrency(4).batchSize(10).prefetch(0));
        client.put(queue, IntStream.range(0, 100).mapToObj(i -> "m" + i).toArray(String[]::new));
        Progress.until(() -> container.status().inFlight(), 40);
        Progress.until(() -> container.status().pollers() > 0
                && container.status().blockedPollers() == container.status().pollers());

        container.setConcurrency(1);

        assertThat(container.status().inFlight()).isEqualTo(40);
        assertThat(container.status().permits()).isEqualTo(40);
        assertThat(container.status().inFlightLimit()).isEqualTo(40);
        mayEnd.countDown();
        Progress.until(handled::size, 100);
        Progress.until(() -> container.status().inFlightLimit(), 10);
    }

    @Test
    void morePollersApplyAtOnce() throws Exception {
        EngineContainer container = started(collect, options -> options.pollers(1, 1));
        CountDownLatch twoMore = latchAt(Operation.RECEIVE, 2);
        container.setPollers(3, 3);
        await(twoMore);
        assertThat(container.status().pollers()).isEqualTo(3);
    }

    @Test
    void anInvalidValueChangesNothing() {
        EngineContainer container = started(collect);
        assertThatThrownBy(() -> container.setConcurrency(0)).isInstanceOf(InvalidOptionException.class);
        assertThatThrownBy(() -> container.setPollers(3, 2)).isInstanceOf(InvalidOptionException.class);
        assertThat(container.options().concurrency()).isEqualTo(ListenerOptions.AUTO_CONCURRENCY);
    }
}
