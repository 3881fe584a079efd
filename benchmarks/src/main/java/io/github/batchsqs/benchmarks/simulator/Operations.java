/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Executes requests. Called on the event loop; a waiting receive gets its response later, all other requests at once. */
final class Operations {

    private static final int MOST_ENTRIES = 10;

    private final World world;
    private final Sends sends;

    Operations(World world) {
        this.world = world;
        this.sends = new Sends(world);
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
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            reply.failed(SqsError.sender("MalformedInput", String.valueOf(e.getMessage())));
        }
    }

    private void execute(Operation operation, SqsRequest request, Reply reply) {
        long now = System.currentTimeMillis();
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
        if (!queue.permits(operation, request, now)) {
            world.counters.throttled(operation, request.queueName);
            throw SqsError.sender("RequestThrottled", "The request was throttled: the quota of calls is exceeded");
        }
        switch (operation) {
            case RECEIVE_MESSAGE -> receive(queue, request, reply, now);
            case DELETE_MESSAGE_BATCH -> {
                requireBatch(request.entries);
                batch(request.entries, reply, (entry, out) -> delete(queue, entry, now));
                world.tellWaiters();
            }
            case DELETE_MESSAGE -> {
                delete(queue, request.single, now);
                reply.ok(out(reply).raw("{}").buffer());
                world.tellWaiters();
            }
            case CHANGE_MESSAGE_VISIBILITY_BATCH -> {
                requireBatch(request.entries);
                batch(request.entries, reply, (entry, out) -> changeVisibility(queue, entry, now));
                queue.serve(now);
            }
            case CHANGE_MESSAGE_VISIBILITY -> {
                changeVisibility(queue, request.single, now);
                reply.ok(out(reply).raw("{}").buffer());
                queue.serve(now);
            }
            case SEND_MESSAGE_BATCH -> {
                requireBatch(request.entries);
                sends.requireValid(queue, request.entries);
                batch(request.entries, reply, (entry, out) -> sends.send(queue, entry, out, now));
                queue.serve(now);
                world.tellWaiters();
            }
            case SEND_MESSAGE -> {
                sends.requireValid(queue, List.of(request.single));
                JsonText out = out(reply).raw("{");
                sends.send(queue, request.single, out, now);
                reply.ok(out.raw("}").buffer());
                queue.serve(now);
                world.tellWaiters();
            }
            case GET_QUEUE_URL ->
                reply.ok(out(reply)
                        .raw("{")
                        .field("QueueUrl", Queues.url(reply.address(), queue))
                        .raw("}")
                        .buffer());
            case GET_QUEUE_ATTRIBUTES -> attributes(queue, request.wanted, reply, now);
            case SET_QUEUE_ATTRIBUTES -> {
                queue.settings(queue.settings().with(request.queueAttributes, world.queues::require));
                reply.ok(out(reply).raw("{}").buffer());
            }
            case PURGE_QUEUE -> {
                queue.purge();
                reply.ok(out(reply).raw("{}").buffer());
            }
            case DELETE_QUEUE -> {
                world.queues.delete(queue.name());
                reply.ok(out(reply).raw("{}").buffer());
            }
            case CREATE_QUEUE -> throw new IllegalStateException("Has been dealt with");
        }
    }

    private void receive(SimulatedQueue queue, SqsRequest request, Reply reply, long now) {
        int asked = request.maxMessages;
        if (asked < 1 || asked > MOST_ENTRIES) {
            throw SqsError.invalidParameter("MaxNumberOfMessages must be between 1 and 10");
        }
        int wait = request.waitSeconds < 0 ? queue.settings().waitSeconds() : request.waitSeconds;
        if (wait == 0 && !queue.fifo() && queue.full(now)) {
            throw SqsError.sender("OverLimit", "The number of messages in flight has reached its limit");
        }
        boolean cut = !queue.fifo() && asked > 1 && world.happens(world.conditions.shortBatches());
        int max = cut ? 1 + world.random.nextInt(asked - 1) : asked;
        Receive receive = new Receive(world, queue, request, reply, max, now + wait * 1000L);
        List<StoredMessage> messages = queue.receive(max, request.single.visibilityTimeout, request.attemptId, now);
        if (messages.isEmpty() && wait > 0) {
            queue.park(receive);
        } else {
            receive.respond(messages);
        }
    }

    /** A receive that may have to wait. */
    private record Receive(World world, SimulatedQueue queue, SqsRequest request, Reply reply, int max, long until)
            implements Poll {

        @Override
        public int visibilityTimeout() {
            return request.single.visibilityTimeout;
        }

        @Override
        public boolean open() {
            return reply.open();
        }

        @Override
        public void respond(List<StoredMessage> messages) {
            world.counters.received(messages.size(), request.queueName, queue.notVisible());
            JsonText out = out(reply);
            MessageText.write(out, messages, request.wanted);
            reply.ok(out.buffer());
        }
    }

    private void delete(SimulatedQueue queue, Entry entry, long now) {
        if (queue.delete(entry.receiptHandle, now)) {
            world.counters.deleted(queue.name());
        }
    }

    private static void changeVisibility(SimulatedQueue queue, Entry entry, long now) {
        queue.changeVisibility(entry.receiptHandle, entry.visibilityTimeout, now);
    }

    /** What is done with one entry; it may add fields to its result. */
    private interface EntryAction {
        void execute(Entry entry, JsonText out);
    }

    private void batch(List<Entry> entries, Reply reply, EntryAction action) {
        JsonText out = out(reply).raw("{\"Successful\":[");
        JsonText failed = null;
        for (Entry entry : entries) {
            int before = out.buffer().writerIndex();
            try {
                if (world.happens(world.conditions.refusals())) {
                    world.counters.fault();
                    throw SqsError.server(500, "InternalError", "Try this one again");
                }
                out.comma().raw("{").field("Id", entry.id);
                action.execute(entry, out);
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

    private static void requireBatch(List<Entry> entries) {
        if (entries.isEmpty()) {
            throw SqsError.sender(
                    "AWS.SimpleQueueService.EmptyBatchRequest", "There should be at least one entry in the request.");
        }
        if (entries.size() > MOST_ENTRIES) {
            throw SqsError.sender(
                    "AWS.SimpleQueueService.TooManyEntriesInBatchRequest",
                    "Maximum number of entries per request are 10. You have sent " + entries.size() + ".");
        }
        Set<String> ids = new HashSet<>();
        for (Entry entry : entries) {
            if (!ids.add(entry.id)) {
                throw SqsError.sender(
                        "AWS.SimpleQueueService.BatchEntryIdsNotDistinct", "Id " + entry.id + " repeated.");
            }
        }
    }

    private static void attributes(SimulatedQueue queue, Wanted wanted, Reply reply, long now) {
        JsonText out = out(reply).raw("{\"Attributes\":{");
        Map<String, String> all = new LinkedHashMap<>();
        all.put("QueueArn", Queues.arn(queue));
        all.put("VisibilityTimeout", Long.toString(queue.settings().visibilityMillis() / 1000));
        all.put("DelaySeconds", Long.toString(queue.settings().delayMillis() / 1000));
        all.put(
                "ReceiveMessageWaitTimeSeconds",
                Integer.toString(queue.settings().waitSeconds()));
        all.put("MaximumMessageSize", Integer.toString(queue.settings().maximumBytes()));
        all.put("ApproximateNumberOfMessages", Integer.toString(queue.visible(now)));
        all.put("ApproximateNumberOfMessagesNotVisible", Integer.toString(queue.notVisible()));
        all.put("ApproximateNumberOfMessagesDelayed", Integer.toString(queue.delayed()));
        all.putAll(queue.settings().attributes());
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
