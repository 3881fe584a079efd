/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SurvivingLoopTests {

    private final List<String> unexpected = new CopyOnWriteArrayList<>();
    private final ListenerEvents events = new ListenerEvents() {
        @Override
        public void unexpected(String stage, Throwable failure) {
            unexpected.add(stage + " " + failure.getClass().getSimpleName());
        }
    };
    private final ContainerThreads threads = new ContainerThreads("orders", events, TimeSource.system());
    private final CountDownLatch goesOn = new CountDownLatch(1);

    @AfterEach
    void close() {
        threads.close();
    }

    @Test
    void anErrorDoesNotEndALoop() throws Exception {
        fails(() -> {
            throw new AssertionError("once");
        });
        assertThat(unexpected).containsExactly("timer AssertionError");
    }

    @Test
    void anExceptionThatCannotBeLoggedDoesNotEndALoop() throws Exception {
        fails(() -> {
            throw new IllegalStateException() {
                @Override
                public String getMessage() {
                    throw new UnsupportedOperationException();
                }
            };
        });
        assertThat(unexpected).hasSize(1);
    }

    @Test
    void anInterruptThatIsNotTheContainersDoesNotEndALoop() throws Exception {
        fails(() -> {
            throw new InterruptedException();
        });
        assertThat(unexpected).containsExactly("timer InterruptedException");
    }

    @Test
    void aLoopThatEndsAlthoughTheContainerRunsIsNamed() {
        threads.loop("linger", () -> {});
        while (threads.endedLoops().isEmpty()) {
            Thread.onSpinWait();
        }
        assertThat(threads.endedLoops()).containsExactly("linger");
    }

    @Test
    void anErrorInATaskThatIsCalledAgainAndAgainDoesNotEndIt() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        threads.every("extender", Duration.ofMillis(1), () -> {
            if (calls.incrementAndGet() == 1) {
                throw new StackOverflowError();
            }
            goesOn.countDown();
        });
        await();
        assertThat(unexpected).containsExactly("timer StackOverflowError");
    }

    @Test
    void eventsThatThrowDoNotEndALoop() throws Exception {
        ContainerThreads withBadEvents = new ContainerThreads(
                "orders",
                new ListenerEvents() {
                    @Override
                    public void unexpected(String stage, Throwable failure) {
                        throw new AssertionError();
                    }
                },
                TimeSource.system());
        AtomicInteger calls = new AtomicInteger();
        withBadEvents.loop("linger", () -> {
            if (calls.incrementAndGet() == 1) {
                throw new AssertionError();
            }
            goesOn.countDown();
            new CountDownLatch(1).await();
        });
        await();
        withBadEvents.close();
    }

    @Test
    void aKindOfFailureIsLoggedOnce() throws Exception {
        try (LogCapture log = LogCapture.warnings()) {
            AtomicInteger calls = new AtomicInteger();
            threads.loop("repeating", () -> {
                if (calls.incrementAndGet() < 4) {
                    throw new AssertionError("again");
                }
                goesOn.countDown();
                new CountDownLatch(1).await();
            });
            await();
            assertThat(log.events())
                    .filteredOn(line -> line.contains("repeating"))
                    .hasSize(1);
        }
    }

    private void fails(EngineThreads.Loop first) throws InterruptedException {
        AtomicInteger calls = new AtomicInteger();
        threads.loop("linger", () -> {
            if (calls.incrementAndGet() == 1) {
                first.run();
                return;
            }
            goesOn.countDown();
            new CountDownLatch(1).await();
        });
        await();
        assertThat(threads.endedLoops()).isEmpty();
    }

    private void await() throws InterruptedException {
        Progress.await(goesOn);
    }
}
