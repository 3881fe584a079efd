/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import io.github.batchsqs.model.sqs.Batches;
import io.github.batchsqs.model.sqs.Deletion;
import io.github.batchsqs.model.sqs.ModelQueue;
import io.github.batchsqs.model.sqs.Outcome;
import io.github.batchsqs.model.sqs.Outgoing;
import io.github.batchsqs.model.sqs.QueueSettings;
import io.github.batchsqs.model.sqs.ReceiveRequest;
import io.github.batchsqs.model.sqs.Received;
import io.github.batchsqs.model.sqs.Sent;
import io.github.batchsqs.model.sqs.SqsFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Executes requests. Called on the event loop; a waiting receive gets its response later, all other requests at once. */
final class Operations {

    private final World world;

    Operations(World world) {
        this.world = world;
    }

    void execute(Operation operation, byte[] body, Reply reply) {
        try {
            SqsRequest request = SqsRequest.read(body);
            world.counters.call(operation, request.queueName);
            if (world.happens(world.conditions.throttles())) {
                world.counters.fault();
                throw SqsError.sender("RequestThrottled", "The request was throttled");
            }
            if (world.happens(world.conditions.errors())) {
                world.counters.fault();
                throw SqsError.server(500, "InternalError", "We encountered an internal error. Please try again.");
            }
            execute(operation, request, reply);
        } catch (SqsError e) {
            reply.failed(e);
        } catch (SqsFailure e) {
            reply.failed(SqsError.of(e.code(), String.valueOf(e.getMessage())));
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            reply.failed(SqsError.sender("MalformedInput", String.valueOf(e.getMessage())));
        }
    }

    private void execute(Operation operation, SqsRequest request, Reply reply) {
        long now = Queues.now();
        if (operation == Operation.CREATE_QUEUE) {
            SimulatedQueue created = world.queues.create(request.queueName, request.queueAttributes);
            reply.ok(out(reply)
                    .raw("{")
                    .field("QueueUrl", Queues.url(reply.address(), created))
                    .raw("}")
                    .buffer());
            return;
        }
        SimulatedQueue queue = world.queues.require(request.queueName);
        if (!queue.permits(operation, request, world.queues.quotas(), now)) {
            world.counters.throttled(operation, request.queueName);
            throw SqsError.sender("RequestThrottled", "The request was throttled: the quota of calls is exceeded");
        }
        switch (operation) {
            case RECEIVE_MESSAGE -> receive(queue, request, reply, now);
            case DELETE_MESSAGE_BATCH -> {
                checkIds(request.entries);
                batch(request.entries, reply, (index, entry, out) -> delete(queue, entry, now));
                served(queue, now);
            }
            case DELETE_MESSAGE -> {
                delete(queue, request.single, now);
                reply.ok(out(reply).raw("{}").buffer());
                served(queue, now);
            }
            case CHANGE_MESSAGE_VISIBILITY_BATCH -> {
                checkIds(request.entries);
                batch(request.entries, reply, (index, entry, out) -> changeVisibility(queue, entry, now));
                served(queue, now);
            }
            case CHANGE_MESSAGE_VISIBILITY -> {
                changeVisibility(queue, request.single, now);
                reply.ok(out(reply).raw("{}").buffer());
                served(queue, now);
            }
            case SEND_MESSAGE_BATCH -> {
                checkIds(request.entries);
                List<Outgoing<Content>> messages = outgoing(queue, request.entries);
                batch(request.entries, reply, (index, entry, out) -> send(queue, messages.get(index), entry, out, now));
                served(queue, now);
            }
            case SEND_MESSAGE -> {
                Outgoing<Content> message =
                        outgoing(queue, List.of(request.single)).getFirst();
                JsonText out = out(reply).raw("{");
                send(queue, message, request.single, out, now);
                reply.ok(out.raw("}").buffer());
                served(queue, now);
            }
            case GET_QUEUE_URL ->
                reply.ok(out(reply)
                        .raw("{")
                        .field("QueueUrl", Queues.url(reply.address(), queue))
                        .raw("}")
                        .buffer());
            case GET_QUEUE_ATTRIBUTES -> attributes(queue, request.wanted, reply, now);
            case SET_QUEUE_ATTRIBUTES -> {
                world.queues.change(queue, request.queueAttributes);
                reply.ok(out(reply).raw("{}").buffer());
            }
            case PURGE_QUEUE -> {
                queue.model().purge();
                reply.ok(out(reply).raw("{}").buffer());
            }
            case DELETE_QUEUE -> {
                world.queues.delete(queue.name());
                reply.ok(out(reply).raw("{}").buffer());
            }
            case CREATE_QUEUE -> throw new IllegalStateException("Has been dealt with");
        }
    }

    private void served(SimulatedQueue queue, long now) {
        queue.serve(now);
        world.tellWaiters();
    }

    private void receive(SimulatedQueue queue, SqsRequest request, Reply reply, long now) {
        ModelQueue<Content> model = queue.model();
        int asked = request.maxMessages;
        boolean cut = !model.fifo() && asked > 1 && world.happens(world.conditions.shortBatches());
        Duration wait = seconds(request.waitSeconds, model.settings().waitTime());
        ReceiveRequest wanted = new ReceiveRequest(
                cut ? 1 + world.random.nextInt(asked - 1) : asked,
                wait,
                request.single.visibilityTimeout < 0 ? null : Duration.ofSeconds(request.single.visibilityTimeout),
                request.attemptId);
        List<Received<Content>> messages = model.receive(wanted, now);
        Receive receive = new Receive(world, queue, request.wanted, wanted, reply, now + wait.toNanos());
        if (messages.isEmpty() && !wait.isZero()) {
            queue.park(receive);
        } else {
            receive.respond(messages, now);
        }
    }

    private void delete(SimulatedQueue queue, Entry entry, long now) {
        if (value(queue.model().delete(entry.receiptHandle, now)) == Deletion.DELETED) {
            world.counters.deleted(queue.name());
        }
    }

    private static void changeVisibility(SimulatedQueue queue, Entry entry, long now) {
        Duration timeout = Duration.ofSeconds(entry.visibilityTimeout);
        Long unused = value(queue.model().changeVisibility(entry.receiptHandle, timeout, now));
    }

    private static List<Outgoing<Content>> outgoing(SimulatedQueue queue, List<Entry> entries) {
        List<Outgoing<Content>> messages = new ArrayList<>(entries.size());
        for (Entry entry : entries) {
            @Nullable Duration delay = entry.delaySeconds < 0 ? null : Duration.ofSeconds(entry.delaySeconds);
            messages.add(new Outgoing<>(Content.of(entry), entry.group, entry.deduplicationId, delay));
        }
        queue.model().checkSend(messages);
        return messages;
    }

    private void send(SimulatedQueue queue, Outgoing<Content> message, Entry entry, JsonText out, long now) {
        Sent sent = value(queue.model().send(message, now));
        world.counters.sent(queue.name());
        out.comma().raw("\"MessageId\":\"").raw(sent.messageId());
        out.raw("\",\"MD5OfMessageBody\":\"")
                .raw(message.payload().bodyDigest())
                .raw("\"");
        if (message.payload().attributesDigest() != null) {
            out.field("MD5OfMessageAttributes", message.payload().attributesDigest());
        }
        if (!entry.systemAttributes.isEmpty()) {
            out.field("MD5OfMessageSystemAttributes", Digests.md5(entry.systemAttributes));
        }
        if (sent.sequenceNumber() != null) {
            out.field("SequenceNumber", sent.sequenceNumber());
        }
    }

    private static <T> T value(Outcome<T> outcome) {
        return switch (outcome) {
            case Outcome.Done<T> done -> done.value();
            case Outcome.Refused<T> refused -> throw SqsError.of(refused.code(), refused.message());
        };
    }

    private static Duration seconds(int given, Duration otherwise) {
        return given < 0 ? otherwise : Duration.ofSeconds(given);
    }

    /** What is done with one entry; it may add fields to its result. */
    private interface EntryAction {
        void execute(int index, Entry entry, JsonText out);
    }

    private void batch(List<Entry> entries, Reply reply, EntryAction action) {
        JsonText out = out(reply).raw("{\"Successful\":[");
        JsonText failed = null;
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            int before = out.buffer().writerIndex();
            try {
                if (world.happens(world.conditions.refusals())) {
                    world.counters.fault();
                    throw SqsError.server(500, "InternalError", "Try this one again");
                }
                out.comma().raw("{").field("Id", entry.id);
                action.execute(i, entry, out);
                out.raw("}");
            } catch (SqsError e) {
                out.buffer().writerIndex(before);
                failed = failed == null ? out(reply).raw("],\"Failed\":[") : failed.comma();
                failed.raw("{").field("Id", entry.id).field("Code", e.code());
                failed.field("Message", String.valueOf(e.getMessage()));
                failed.raw(",\"SenderFault\":")
                        .raw(Boolean.toString(e.senderFault()))
                        .raw("}");
            }
        }
        if (failed != null) {
            out.buffer().writeBytes(failed.buffer());
            failed.buffer().release();
        }
        reply.ok(out.raw("]}").buffer());
    }

    private static void checkIds(List<Entry> entries) {
        Batches.check(entries.stream().map(entry -> entry.id).toList());
    }

    private static void attributes(SimulatedQueue queue, Wanted wanted, Reply reply, long now) {
        JsonText out = out(reply).raw("{\"Attributes\":{");
        Map<String, String> all = new LinkedHashMap<>();
        ModelQueue<Content> model = queue.model();
        QueueSettings settings = model.settings();
        all.put("QueueArn", Queues.arn(queue.name()));
        all.put("VisibilityTimeout", Long.toString(settings.visibilityTimeout().toSeconds()));
        all.put("DelaySeconds", Long.toString(settings.delay().toSeconds()));
        all.put(
                "ReceiveMessageWaitTimeSeconds",
                Long.toString(settings.waitTime().toSeconds()));
        all.put("MessageRetentionPeriod", Long.toString(settings.retention().toSeconds()));
        all.put("MaximumMessageSize", Integer.toString(settings.maximumMessageSize()));
        all.put("ApproximateNumberOfMessages", Integer.toString(model.visible(now)));
        all.put("ApproximateNumberOfMessagesNotVisible", Integer.toString(model.inFlight(now)));
        all.put("ApproximateNumberOfMessagesDelayed", Integer.toString(model.delayed(now)));
        all.putAll(queue.attributes().given());
        all.forEach((name, value) -> {
            if (wanted.wantsSystem(name)) {
                out.field(name, value);
            }
        });
        reply.ok(out.raw("}}").buffer());
    }

    private static JsonText out(Reply reply) {
        return new JsonText(reply.allocator().buffer());
    }
}
