/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.pull;

import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.histories.SeededHistory;
import io.github.batchsqs.histories.Texts;
import io.github.batchsqs.histories.laws.Broken;
import io.github.batchsqs.histories.pull.PullPlan.Pull;
import io.github.batchsqs.internal.send.BatchSqsTemplate;
import io.github.batchsqs.internal.send.SenderResources;
import io.github.batchsqs.model.sqs.ModelQueue;
import io.github.batchsqs.model.sqs.Observer;
import io.github.batchsqs.model.sqs.QueueSettings;
import io.github.batchsqs.model.sqs.Received;
import io.github.batchsqs.model.sqs.SqsModel;
import io.github.batchsqs.model.sqs.Stored;
import io.github.batchsqs.model.sqs.TextPayload;
import io.github.batchsqs.model.time.VirtualTime;
import io.github.batchsqs.pull.PulledMessage;
import io.github.batchsqs.pull.PulledMessages;
import io.github.batchsqs.pull.ReceiveRequest;
import io.github.batchsqs.send.SenderOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One history of callers that receive through a template: what they are told is true, and everything ends. */
final class PullHistory extends SeededHistory {

    /** A call and its two repetitions, none of which gets a response. */
    private static final long CALL = 3 * PullClient.PATIENCE + SECOND;

    /** By so much a lease at SQS ends before the caller knows, for the response was under way. */
    private static final long RESPONSE = SECOND / 10;

    private static final String BOUND = "Every receive and every future ends within its bound.";

    private final PullPlan plan;
    private final PullClient client;
    private final Set<String> deleted = new HashSet<>();
    /** What a caller has received, as far as it knows. */
    private final Map<String, PulledMessage<String>> held = new HashMap<>();

    private final Map<CompletableFuture<Void>, String> futures = new HashMap<>();

    private PullHistory(PullPlan plan, List<String> trace) {
        super(plan.seed(), trace);
        this.plan = plan;
        SqsModel<TextPayload> model = new SqsModel<>(new Observer<>() {
            @Override
            public void received(ModelQueue<TextPayload> where, Received<TextPayload> received) {
                receivedAgain(received.message().payload().body());
            }

            @Override
            public void deleted(ModelQueue<TextPayload> where, Stored<TextPayload> message) {
                deleted.add(message.payload().body());
            }
        });
        ModelQueue<TextPayload> queue = model.create(plan.fifo() ? "pulled.fifo" : "pulled", QueueSettings.DEFAULT);
        this.client = new PullClient(time, queue, plan, this::note);
    }

    /** Runs a plan, and returns the law that it breaks, or {@code null}. */
    static @Nullable Throwable run(PullPlan plan, List<String> trace) {
        return new PullHistory(plan, trace).failure();
    }

    @Override
    protected void run() {
        for (int i = 0; i < plan.messages(); i++) {
            String body = "m" + i;
            String group = plan.fifo() ? "g" + i % 3 : null;
            at(i * SECOND / 5, () -> client.put(body, group));
        }
        VirtualTime.Host host = time.host("caller", 2);
        Thread ignored = time.startPlatform(host, "template", () -> {
            BatchSqsTemplate template = new BatchSqsTemplate(
                    SenderOptions.builder().build(), SenderResources.of(client, client, new Texts()));
            for (Pull pull : plan.pulls()) {
                at(pull.at(), () -> caller(host, template, pull));
            }
        });
        pass(Duration.ofMinutes(10).toNanos());
        for (Map.Entry<CompletableFuture<Void>, String> each : futures.entrySet()) {
            if (!each.getKey().isDone()) {
                throw new Broken(BOUND, each.getValue() + " does not");
            }
        }
    }

    private void caller(VirtualTime.Host host, BatchSqsTemplate template, Pull pull) {
        Thread caller = time.start(host, "caller", () -> pull(template, pull));
        if (pull.interruptedAfter() < Long.MAX_VALUE) {
            Thread unused = time.startPlatform(host, "interrupts", () -> {
                spend(pull.interruptedAfter());
                caller.interrupt();
            });
        }
    }

    private void pull(BatchSqsTemplate template, Pull pull) {
        long began = time.nanos();
        PulledMessages<String> messages = null;
        try {
            messages = template.receive(ReceiveRequest.of(client.name(), String.class)
                    .maxMessages(pull.max())
                    .waitTime(Duration.ofSeconds(pull.waitSeconds()))
                    .visibilityTimeout(Duration.ofSeconds(pull.leaseSeconds())));
        } catch (InterruptedException | QueueCallException e) {
            note("a receive failed: " + e);
        }
        if (time.nanos() - began > pull.waitSeconds() * SECOND + CALL) {
            breaks(BOUND, pull + " took too long");
        }
        if (messages == null) {
            return;
        }
        note("received " + messages.stream().map(PulledMessage::body).toList());
        if (messages.size() > pull.max()) {
            breaks("A receive brings at most what it was asked for.", pull + " brought " + messages.size());
        }
        Set<String> bodies = new HashSet<>();
        for (PulledMessage<String> message : messages) {
            if (!bodies.add(message.body())) {
                breaks("A receive brings a message once.", message.body() + " came twice");
            }
            held.put(message.body(), message);
        }
        spend(pull.work());
        switch (pull.deed()) {
            case ACKNOWLEDGE_ALL -> acknowledged(messages, messages.acknowledge());
            case RELEASE_ALL -> {
                messages.forEach(message -> held.remove(message.body()));
                expect(messages.release(), "a release of all");
            }
            default -> messages.forEach(message -> settle(message, pull.deed()));
        }
    }

    private void settle(PulledMessage<String> message, PullPlan.Deed deed) {
        switch (deed) {
            case ACKNOWLEDGE -> acknowledge(message);
            case ACKNOWLEDGE_TWICE -> {
                acknowledge(message);
                acknowledge(message);
            }
            case EXTEND -> extend(message);
            case EXTEND_AND_ACKNOWLEDGE -> {
                extend(message);
                acknowledge(message);
            }
            case RELEASE -> {
                held.remove(message.body());
                expect(message.release(), "a release of " + message.body());
            }
            case ACKNOWLEDGE_ALL, RELEASE_ALL, NOTHING -> {}
        }
    }

    private void extend(PulledMessage<String> message) {
        expect(message.extend(Duration.ofSeconds(5)), "an extension of " + message.body());
    }

    private void acknowledge(PulledMessage<String> message) {
        acknowledged(List.of(message), message.acknowledge());
    }

    private void acknowledged(List<PulledMessage<String>> messages, CompletableFuture<Void> future) {
        expect(future, "an acknowledgement of " + messages);
        var unused = future.thenRun(() -> messages.forEach(message -> {
            held.remove(message.body());
            boolean sure = !message.leaseLost() && !client.isLeaseUnknown(message.body());
            if (sure && !deleted.contains(message.body())) {
                breaks("What is acknowledged is gone.", message.body() + " is still in the queue");
            }
        }));
    }

    private void expect(CompletableFuture<Void> future, String what) {
        futures.put(future, what);
    }

    /** SQS gives it to somebody while a caller may still have it. */
    private void receivedAgain(String body) {
        PulledMessage<String> before = held.remove(body);
        if (before != null && !client.isLeaseUnknown(body)) {
            Thread unused = time.start("look", () -> {
                spend(RESPONSE);
                if (!before.leaseLost()) {
                    breaks("A caller knows when its lease is over.", body + " is received again");
                }
            });
        }
    }

    private void spend(long nanos) {
        long until = time.nanos() + nanos;
        while (time.nanos() < until) {
            try {
                time.sleep(until - time.nanos());
            } catch (InterruptedException e) {
                note("interrupted");
            }
        }
    }
}
