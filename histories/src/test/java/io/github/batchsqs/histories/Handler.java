/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.histories.Step.Manner;
import io.github.batchsqs.histories.Step.Treat;
import io.github.batchsqs.histories.laws.Run;
import io.github.batchsqs.histories.laws.Truth;
import io.github.batchsqs.internal.receive.invoke.PartitionedListener;
import io.github.batchsqs.model.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The user's code: does with each message what the plan wants. */
class Handler implements BatchListener<String> {

    private static final Duration NEVER = Duration.ofDays(1);
    private static final Duration RETRY_LATER = Duration.ofSeconds(3);

    private final History history;
    private final Truth truth;
    private final VirtualTime time;
    private final Setup setup;

    private Handler(History history) {
        this.history = history;
        this.truth = history.truth;
        this.time = history.time;
        this.setup = history.plan.setup();
    }

    static Handler of(History history) {
        return history.plan.setup().byType() ? new ByType(history) : new Handler(history);
    }

    /** Handlers by type: the first letter is the type. */
    private static final class ByType extends Handler implements PartitionedListener<String> {

        ByType(History history) {
            super(history);
        }

        @Override
        public Object kind(String payload) {
            return payload.charAt(0);
        }
    }

    String read(ReceivedMessage message) {
        Treat treat = history.treatmentOf(message.body());
        if (treat != null && treat.manner() == Manner.UNREADABLE && history.reads(message.body()) <= treat.runs()) {
            truth.receive(message.receiptHandle()).excuse("it cannot be read");
            truth.find(message.body()).condemned = true;
            truth.excuseBehind(truth.find(message.body()), "one before it cannot be read");
            throw new IllegalArgumentException("unreadable: the plan wants it");
        }
        return message.body();
    }

    @Override
    public BatchOutcome onBatch(MessageBatch<String> batch) throws Exception {
        Object call = new Object();
        Map<SqsMessage<String>, Run> runs = new LinkedHashMap<>();
        for (SqsMessage<String> message : batch) {
            runs.put(message, truth.begun(message.receiptHandle(), call));
        }
        history.note(() -> "handler begins with " + batch.payloads());
        boolean returned = false;
        try {
            Thread.sleep(Duration.ofNanos(setup.handlerNanos()));
            for (SqsMessage<String> message : batch) {
                work(message);
            }
            BatchOutcome outcome = setup.manual() ? settle(batch, runs) : outcome(runs);
            returned = true;
            return outcome;
        } finally {
            boolean settledByListener = !setup.manual() || !returned;
            history.note(() -> "handler is over with " + batch.payloads());
            runs.values().forEach(run -> {
                run.settled |= settledByListener;
                truth.ended(run);
            });
        }
    }

    private void work(SqsMessage<String> message) throws Exception {
        Treat treat = treatment(message);
        if (treat == null) {
            return;
        }
        switch (treat.manner()) {
            case THROW -> throw new IllegalStateException("the plan wants it");
            case THROW_ERROR -> throw new NoClassDefFoundError("the plan wants it");
            case SLEEP -> Thread.sleep(Duration.ofNanos(treat.nanos()));
            case STUBBORN -> sleepAnyway(treat.nanos());
            case COMPUTE -> time.compute(treat.nanos());
            default -> {}
        }
    }

    private void sleepAnyway(long nanos) {
        long until = time.nanos() + nanos;
        while (time.nanos() < until) {
            try {
                Thread.sleep(Duration.ofNanos(until - time.nanos()));
            } catch (InterruptedException e) {
                history.note(() -> "a handler ignores its interrupt");
            }
        }
    }

    private @Nullable Treat treatment(SqsMessage<String> message) {
        Treat treat = history.treatmentOf(message.body());
        return treat != null && truth.find(message.body()).runs.size() <= treat.runs() ? treat : null;
    }

    // ---- what it returns

    private BatchOutcome outcome(Map<SqsMessage<String>, Run> runs) {
        BatchOutcome.Builder outcome = BatchOutcome.perMessage();
        Map<String, Boolean> stuck = new HashMap<>();
        runs.forEach((message, run) -> {
            Treat treat = treatment(message);
            Manner manner = treat == null ? Manner.SLEEP : treat.manner();
            if (stuck.containsKey(lane(message)) || manner == Manner.RETRY) {
                outcome.retry(message);
                stuck.put(lane(message), true);
            } else if (manner == Manner.RETRY_LATER) {
                outcome.retry(message, RETRY_LATER);
                stuck.put(lane(message), true);
            } else if (manner == Manner.DEAD_LETTER) {
                run.receive.message.condemned = true;
                outcome.deadLetter(message, new IllegalStateException("the plan wants it"));
                if (!setup.deadLettersItself()) {
                    stuck.put(lane(message), true);
                }
            } else {
                truth.succeeded(run);
                outcome.done(message);
            }
        });
        return outcome.build();
    }

    /** What must not overtake one another: the messages of a group, or nothing. */
    private static String lane(SqsMessage<String> message) {
        String group = message.groupId();
        return group == null ? message.id() : group;
    }

    // ---- manual acknowledgement

    private BatchOutcome settle(MessageBatch<String> batch, Map<SqsMessage<String>, Run> runs) {
        Map<String, Duration> left = new HashMap<>();
        Map<String, List<SqsMessage<String>>> later = new LinkedHashMap<>();
        long delay = 0;
        for (Map.Entry<SqsMessage<String>, Run> entry : runs.entrySet()) {
            SqsMessage<String> message = entry.getKey();
            Run run = entry.getValue();
            Treat treat = treatment(message);
            Manner manner = treat == null ? Manner.SLEEP : treat.manner();
            String lane = lane(message);
            Duration after = left.get(lane);
            if (after != null) {
                settleBehind(batch, message, run, after);
            } else if (later.containsKey(lane)) {
                later.get(lane).add(message);
            } else if (manner == Manner.ACKNOWLEDGE_LATE && treat != null) {
                later.put(lane, new ArrayList<>(List.of(message)));
                delay = Math.max(delay, treat.nanos());
            } else if (manner == Manner.ACKNOWLEDGE_NEVER) {
                left.put(lane, NEVER);
                run.receive.message.lane.disturbed = true;
                settleBehind(batch, message, run, NEVER);
            } else if (manner == Manner.NACK || manner == Manner.RETRY || manner == Manner.RETRY_LATER) {
                after = manner == Manner.NACK ? Duration.ZERO : RETRY_LATER;
                left.put(lane, after);
                settleBehind(batch, message, run, after);
            } else {
                acknowledge(batch, message, run);
                if (manner == Manner.ACKNOWLEDGE_TWICE) {
                    history.expect(
                            batch.acknowledgement().acknowledge(List.of(message)),
                            "the second acknowledgement of " + message.body());
                }
            }
        }
        acknowledgeLater(batch, runs, later, delay);
        return BatchOutcome.done();
    }

    /** It returns to the queue, and so does what is behind it. */
    private void settleBehind(MessageBatch<String> batch, SqsMessage<String> message, Run run, Duration after) {
        run.settled = true;
        if (!after.equals(NEVER)) {
            history.expect(batch.acknowledgement().nack(List.of(message), after), "a nack of " + message.body());
        }
    }

    private void acknowledgeLater(
            MessageBatch<String> batch,
            Map<SqsMessage<String>, Run> runs,
            Map<String, List<SqsMessage<String>>> later,
            long delay) {
        if (later.isEmpty()) {
            return;
        }
        Thread unused = Thread.ofVirtual().name("acknowledges-later").start(() -> {
            sleepAnyway(delay);
            later.values()
                    .forEach(messages -> messages.forEach(message -> {
                        Run run = runs.get(message);
                        if (run != null) {
                            acknowledge(batch, message, run);
                        }
                    }));
        });
    }

    private void acknowledge(MessageBatch<String> batch, SqsMessage<String> message, Run run) {
        truth.succeeded(run);
        run.settled = true;
        CompletableFuture<Void> future = batch.acknowledgement().acknowledge(List.of(message));
        history.expect(future, "the acknowledgement of " + message.body());
    }
}
