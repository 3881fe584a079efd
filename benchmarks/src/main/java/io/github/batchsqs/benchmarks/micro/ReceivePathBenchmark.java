/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.micro;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.receive.EngineContainer;
import io.github.batchsqs.internal.receive.ListenerResources;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerOptions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** The whole receive path per message, from the receive to the accepted delete, over a queue in memory. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 10, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ReceivePathBenchmark {

    private static final int MESSAGES = 100_000;

    @Param({"10", "1"})
    private int batchSize;

    private MadeUpQueue queue = new MadeUpQueue();
    private EngineContainer container = container();

    @Setup
    public void setUp() {
        queue = new MadeUpQueue();
        container = container();
        container.start();
    }

    @TearDown
    public void tearDown() {
        container.stop();
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void receiveHandleDelete() throws InterruptedException {
        queue.drain(MESSAGES);
    }

    private EngineContainer container() {
        BatchListener<String> listener = BatchListener.of(batch -> {});
        return new EngineContainer(
                ListenerOptions.builder("benchmark", "orders")
                        .batchSize(Math.max(1, batchSize))
                        .build(),
                new ListenerHandler<>(ReceivedMessage::body, listener, List.of(), ErrorHook.NONE),
                new ListenerResources(queue, queue, ListenerEvents.NONE, TimeSource.system()));
    }
}
