/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.batch.Batcher;
import io.github.batchsqs.listener.ContainerState;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A process of a history that is polled, paused, stopped as {@link Pipeline#stop} does it, crashed and started again. */
final class HistoryProcess {

    private final History history;
    private final Source source;
    private final List<CompletableFuture<Void>> futures = new ArrayList<>();
    private HistoryInstance instance;
    private Stopping stopping = Stopping.NO;
    private @Nullable CompletableFuture<Void> flushed;
    private boolean paused;
    private long lastBeat;

    private enum Stopping {
        NO,
        POLLS_END,
        INVOCATIONS_END,
        REST_IS_SETTLED,
        LATE_IS_SETTLED
    }

    HistoryProcess(History history, Source source) {
        this.history = history;
        this.source = source;
        this.instance = new HistoryInstance(history, this, source);
        this.lastBeat = history.time.nanos();
    }

    void acknowledging(CompletableFuture<Void> future) {
        futures.add(future);
    }

    void poll() {
        if (!paused && stopping == Stopping.NO && instance.mayPoll()) {
            instance.poll();
        }
    }

    void tick() {
        switch (history.random.nextInt(3)) {
            case 0 -> instance.tickDispatcher();
            case 1 -> instance.tickBatchers();
            default -> beat();
        }
    }

    private void beat() {
        lastBeat = history.time.nanos();
        instance.tickExtender();
    }

    void tickAll() {
        instance.tickDispatcher();
        instance.tickBatchers();
        if (history.time.nanos() - lastBeat
                >= instance.pipeline.stages().extender().interval().toNanos()) {
            beat();
        }
    }

    void stop() {
        if (stopping == Stopping.NO) {
            history.note("stop");
            stopping = Stopping.POLLS_END;
        }
    }

    void crash() {
        history.note("crash");
        history.strands.crash(instance);
        futures.clear();
        restart();
    }

    void change(int concurrency) {
        history.note("concurrency " + concurrency);
        if (stopping == Stopping.NO) {
            instance.pipeline.change(
                    history.plan.options().toBuilder().concurrency(concurrency).build());
        }
    }

    void pauseOrResume() {
        boolean pauses = !paused && history.random.nextBoolean();
        if (pauses && stopping == Stopping.NO) {
            instance.pause();
            paused = true;
        } else {
            resume();
        }
    }

    void resume() {
        if (paused && stopping == Stopping.NO) {
            history.note("resume");
            instance.pipeline.resume();
        }
        paused = false;
    }

    void check() {
        instance.check();
    }

    private void restart() {
        stopping = Stopping.NO;
        paused = false;
        flushed = null;
        instance = new HistoryInstance(history, this, source);
        lastBeat = history.time.nanos();
    }

    void goOnStopping() {
        boolean impatient = history.faulty() && history.random.nextInt(30) == 0;
        Pipeline.Stages stages = instance.pipeline.stages();
        switch (stopping) {
            case NO -> {}
            case POLLS_END -> {
                if (impatient) {
                    instance.abortPolls();
                }
                if (!instance.polls()) {
                    instance.pipeline.shutdown().returnWaiting();
                    stopping = Stopping.INVOCATIONS_END;
                }
            }
            case INVOCATIONS_END -> {
                if (impatient || stages.dispatcher().active() == 0) {
                    history.note("invocations ended, but " + stages.dispatcher().active());
                    flushed = instance.pipeline.shutdown().returnRest();
                    stopping = Stopping.REST_IS_SETTLED;
                    if (stages.dispatcher().active() > 0) {
                        returnUnsettled();
                    }
                }
            }
            case REST_IS_SETTLED -> {
                boolean settled = stages.limit().used() == 0;
                boolean manual = history.plan.manual() && history.random.nextInt(10) == 0;
                if (impatient || manual) {
                    returnUnsettled();
                } else if (settled && flushed != null && flushed.isDone()) {
                    stopped();
                }
            }
            case LATE_IS_SETTLED -> {
                if (impatient || (flushed != null && flushed.isDone())) {
                    stopped();
                }
            }
        }
    }

    private void returnUnsettled() {
        history.note("late: " + instance.pipeline.stages().limit().used());
        flushed = instance.pipeline.shutdown().returnUnsettled();
        stopping = Stopping.LATE_IS_SETTLED;
    }

    private void stopped() {
        history.note("stopped with " + instance.pipeline.stages().limit().used());
        instance.pipeline.close();
        restart();
    }

    // ---- the end

    boolean quiet() {
        return stopping == Stopping.NO
                && instance.pipeline.stages().limit().used() == 0
                && waitingForCalls() == 0; // heartbeats of messages that were deleted meanwhile
    }

    int waitingForCalls() {
        return instance.pipeline.stages().settler().batchers().stream()
                .mapToInt(Batcher::size)
                .sum();
    }

    void checkQuiet() {
        Pipeline.Stages stages = instance.pipeline.stages();
        if (stages.ledger().size() > 0
                || stages.dispatcher().waiting() > 0
                || stages.dispatcher().active() > 0) {
            throw new AssertionError("Left over: " + this);
        }
        instance.pipeline.close();
        if (!futures.stream().allMatch(CompletableFuture::isDone)) {
            throw new AssertionError("Futures of acknowledgements never complete");
        }
    }

    @Override
    public String toString() {
        return stopping + " " + instance.pipeline.status(ContainerState.RUNNING) + ", waiting for calls "
                + waitingForCalls() + ", held "
                + instance.pipeline.stages().ledger().tracked().stream()
                        .map(delivery -> delivery.message().body()
                                + (delivery.unsettled() ? " unsettled" : " settled")
                                + (delivery.awaitsManualSettlement() ? " by hand" : ""))
                        .toList();
    }
}
