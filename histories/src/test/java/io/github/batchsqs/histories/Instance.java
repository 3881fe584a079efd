/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.histories.Step.Act;
import io.github.batchsqs.histories.Step.Fault;
import io.github.batchsqs.histories.laws.Party;
import io.github.batchsqs.histories.laws.Receive;
import io.github.batchsqs.histories.laws.Truth;
import io.github.batchsqs.internal.receive.EngineContainer;
import io.github.batchsqs.internal.receive.ListenerResources;
import io.github.batchsqs.internal.receive.delivery.MessageMemory;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.BatchInterceptor;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ContainerStatus;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ReceiveGate;
import io.github.batchsqs.model.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One instance of the application, from its start to its end or its death: a container, on a host of its own. */
final class Instance implements Party {

    /** How much longer than its timeout a stop may take, its last calls included. */
    private static final Duration STOP_MARGIN = Duration.ofSeconds(6);

    /** How long a start may take, beside a stop that goes on. */
    private static final Duration START_BOUND = Duration.ofSeconds(5);

    private final History history;
    private final int index;
    private final Faults faults;
    private final VirtualTime time;
    private final VirtualTime.Host host;
    private final EngineContainer container;
    private final List<Receive> receives = new ArrayList<>();

    private boolean killed;
    private boolean refusing;
    private boolean gateClosed;
    private boolean paused;
    private boolean quiet;
    private int stopsUnderWay;
    private @Nullable String excuse;

    Instance(History history, int index, Faults faults) {
        this.history = history;
        this.index = index;
        this.faults = faults;
        this.time = history.time;
        Setup setup = history.plan.setup();
        this.host = time.host("instance " + index, setup.carriers());
        ListenerOptions options = setup.options();
        if (setup.customExecutor()) {
            options = options.toBuilder()
                    .executor(new ListenerOptions.InvocationExecutor.Custom(this::execute))
                    .build();
        }
        SimulatedClient client = new SimulatedClient(history.sqs, this, time, setup);
        Handler handler = Handler.of(history);
        boolean rude = history.plan.rude();
        this.container = new EngineContainer(
                options,
                rude
                        ? new ListenerHandler<>(handler::read, handler, List.of(new Rude()), this::refuseToHear)
                        : new ListenerHandler<>(handler::read, handler, List.of(), ErrorHook.NONE),
                new ListenerResources(
                        client,
                        client,
                        ListenerEvents.NONE,
                        TimeSource.system(),
                        Map.of("plan", this::permission),
                        MessageMemory.unlimited(),
                        history.plan.stored() ? new Payloads(time, history.truth) : null));
    }

    // ---- what is done to it

    void start() {
        onPlatform("start", () -> {
            long began = time.nanos();
            startContainer();
            Duration stop = container.options().shutdownTimeout().plus(STOP_MARGIN);
            requireSince(began, START_BOUND.plus(stop), "a start");
        });
    }

    /** A stop that takes too long is a matter of its own. */
    private void startContainer() {
        while (true) {
            try {
                container.start();
                return;
            } catch (BatchSqsException e) {
                history.note(e::toString);
                VirtualTime.current().compute(1_000_000_000L);
            }
        }
    }

    void act(Act act) {
        if (killed) {
            return;
        }
        switch (act.deed()) {
            case STOP -> stop();
            case START -> start();
            case PAUSE -> {
                paused = true;
                excuseAll("a pause");
                onPlatform("pause", container::pause);
            }
            case RESUME -> onPlatform("resume", this::resume);
            case CONCURRENCY -> onPlatform("change", () -> container.setConcurrency(act.value()));
            case POLLERS -> onPlatform("change", () -> container.setPollers(1, act.value()));
            case CLOSE_GATE -> gateClosed = true;
            case OPEN_GATE -> gateClosed = false;
            case REFUSE -> refusing = true;
            case ACCEPT -> refusing = false;
            case KILL -> kill();
        }
    }

    void stop() {
        stopsUnderWay++;
        excuseAll("a stop");
        onPlatform("stop", () -> {
            long began = time.nanos();
            container.stop();
            requireSince(began, container.options().shutdownTimeout().plus(STOP_MARGIN), "a stop");
            stopsUnderWay--;
        });
    }

    private void resume() {
        container.resume();
        paused = false;
    }

    private void kill() {
        killed = true;
        time.kill(host);
    }

    /** Nothing goes wrong any more. */
    void makePeace() {
        gateClosed = false;
        refusing = false;
        if (!killed) {
            onPlatform("peace", () -> {
                startContainer();
                resume();
            });
        }
    }

    private void onPlatform(String name, Runnable task) {
        Thread unused = time.startPlatform(host, name, task);
    }

    private void requireSince(long began, Duration bound, String what) {
        long took = time.nanos() - began;
        if (took > bound.toNanos()) {
            truth().brokenPromise(what + " of instance " + index + " took " + Truth.seconds(took));
        }
    }

    // ---- what it asks

    Truth truth() {
        return history.truth;
    }

    /** Counts a call, and returns what goes wrong with it. */
    @Nullable
    Fault faultOf(String operation) {
        Fault fault = faults.next(operation, time.nanos());
        if (fault != null) {
            history.note(() -> "instance " + index + ": " + operation + " is " + fault);
        }
        return fault;
    }

    void note(Supplier<String> what) {
        history.note(what);
    }

    private void execute(Runnable task) {
        if (refusing) {
            throw new RejectedExecutionException("the plan wants it");
        }
        if (history.plan.rude() && time.random().nextInt(4) == 0) {
            task.run();
            return;
        }
        Thread unused = Thread.ofVirtual().name("custom").start(task);
    }

    private void throwOnceIn(int calls) {
        if (time.random().nextInt(calls) > 0) {
            return;
        }
        if (time.random().nextBoolean()) {
            throw new NoClassDefFoundError("the plan wants it");
        }
        throw new IllegalStateException("the plan wants it");
    }

    private void refuseToHear(String queue, ReceivedMessage message, Throwable cause) {
        throwOnceIn(2);
    }

    /** An interceptor that throws before some batches, so that their messages fail without a run, and behind others. */
    private final class Rude implements BatchInterceptor {

        @Override
        public void before(MessageBatch<?> batch) {
            try {
                throwOnceIn(6);
            } catch (IllegalStateException | NoClassDefFoundError e) {
                for (SqsMessage<?> message : batch) {
                    Receive receive = truth().receive(message.receiptHandle());
                    receive.excuse("an interceptor threw");
                    receive.message.lane.disturbed = true;
                    truth().excuseBehind(receive.message, "an interceptor threw before one before it");
                }
                throw e;
            }
        }

        @Override
        public void after(MessageBatch<?> batch, @Nullable BatchOutcome outcome, @Nullable Throwable failure) {
            throwOnceIn(4);
        }
    }

    private ReceiveGate.Permission permission(String listener) {
        return gateClosed
                ? ReceiveGate.Permission.waitFor(Duration.ofSeconds(1), "the plan wants it")
                : ReceiveGate.Permission.go();
    }

    // ---- what laws ask

    /** What is received until this is called with {@code null} may be lost. */
    void excuses(@Nullable String why) {
        excuse = why;
    }

    void received(Receive receive) {
        receives.add(receive);
        String disturbance = disturbance();
        if (excuse != null || !disturbance.isEmpty()) {
            receive.excuse(excuse == null ? disturbance : excuse);
        }
        history.note(() -> "received " + receive);
    }

    void excuseAll(String why) {
        receives.forEach(receive -> receive.excuse(why));
    }

    @Override
    public boolean killed() {
        return killed;
    }

    @Override
    public String disturbance() {
        return stopsUnderWay > 0 ? "a stop" : paused ? "a pause" : "";
    }

    /** Notes whether it holds nothing, and says that all is well. */
    void look() {
        onPlatform("look", () -> {
            ContainerStatus status = container.status();
            quiet = isEmpty(status) && isWell(status);
        });
    }

    boolean quiet() {
        return quiet;
    }

    private static boolean isEmpty(ContainerStatus status) {
        return status.inFlight() == 0 && status.activeInvocations() == 0 && status.inFlightBytes() == 0;
    }

    private static boolean isWell(ContainerStatus status) {
        return status.state() == ContainerState.RUNNING && status.problem() == null && status.receiveFailure() == null;
    }

    /** What must be true when nothing is left to do, and nothing has gone wrong for long. */
    void checkQuiet() {
        onPlatform("check", this::checkStatus);
    }

    private void checkStatus() {
        ContainerStatus status = container.status();
        if (!isEmpty(status)) {
            truth().leftOver("instance " + index + " still holds something: " + status);
        }
        if (!isWell(status)) {
            truth().lie("instance " + index + " works, but says " + status);
        }
    }

    void checkStopped() {
        ContainerStatus status = container.status();
        if (!killed && !status.equals(ContainerStatus.idle(ContainerState.STOPPED, null))) {
            truth().brokenPromise("the last stop of instance " + index + " goes on: " + status);
        }
    }

    @Override
    public String toString() {
        return "instance " + index + (killed ? " (killed)" : "");
    }
}
