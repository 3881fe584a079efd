/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.client.EntryResult;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.client.ReceiveCall;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.client.SendEntry;
import io.github.batchsqs.client.SentMessage;
import io.github.batchsqs.client.VisibilityChange;
import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.listener.ListenerHandler;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.receive.delivery.Delivery;
import io.github.batchsqs.receive.delivery.MessageMemory;
import io.github.batchsqs.support.Alarm;
import io.github.batchsqs.support.GuardedEvents;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import org.slf4j.LoggerFactory;

/** One process of a history: the engine, its way to the server, its timers and its executor, all on strands. */
final class HistoryInstance extends Strands.Owner implements EngineThreads, QueueClient {

    private static final int MOST_POLLS = 3;

    private final History history;
    private final SplittableRandom random;
    private final HistoryPlan plan;
    private final HistoryBooks books;
    private final Strands strands;
    private final TimeSource time;
    private final ListenerEvents events;
    private final Set<Strands.Strand> pollsInHandlers = new HashSet<>();
    final Pipeline pipeline;
    private boolean pollsAborted;
    private boolean closed;
    private int mostPermits;
    private int mostLate;

    HistoryInstance(History history, HistoryProcess process, Source source) {
        this.history = history;
        this.random = history.random;
        this.plan = history.plan;
        this.books = history.books;
        this.strands = history.strands;
        this.time = history.wallClockOff;
        this.events = new GuardedEvents<ListenerEvent>(
                        history.failures::on, LoggerFactory.getLogger(HistoryInstance.class), "the history", time)
                ::accept;
        HistoryHandler handler = new HistoryHandler(history, process, this, source.queue());
        this.pipeline = new Pipeline(
                plan.options().toBuilder()
                        .executor(new ListenerOptions.InvocationExecutor.Custom(this::execute))
                        .build(),
                new ListenerHandler<>(handler::read, handler, List.of(history.failures), history.failures),
                new ListenerResources(this, history.server, events, time, Map.of(), memory(plan.options())),
                source,
                this,
                random.split());
        pipeline.start();
    }

    // ---- what the history does with it

    boolean mayPoll() {
        return strands.count(strand -> strand.owner.equals(this) && strand.role.equals("poll")) < MOST_POLLS;
    }

    void poll() {
        strands.add(this, "poll", () -> {
            try {
                int ignored = pipeline.stages().fetcher().pollOnce();
            } catch (InterruptedException e) {
                history.note("the poll is aborted");
            } catch (Throwable e) { // as the poller does, which goes on
                events.on(new ListenerEvent.Unexpected("fetch", e));
            }
        });
    }

    /** Leaves the open polls alone at once, as an interrupted pause does; some of them ignore their interrupt. */
    void pause() {
        history.note("pause");
        mostLate += MOST_POLLS * 10; // what they bring has no permits when it comes
        Thread.currentThread().interrupt();
        pipeline.pause();
        boolean unused = Thread.interrupted();
    }

    private boolean abortedByPause() {
        return Thread.interrupted() && random.nextBoolean();
    }

    void abortPolls() {
        pollsAborted = true;
    }

    boolean polls() {
        return strands.count(strand ->
                        strand.owner.equals(this) && strand.role.equals("poll") && !pollsInHandlers.contains(strand))
                > 0;
    }

    /** A poll whose executor runs a handler waits for no response any more. */
    void handlers(int more) {
        Strands.Strand strand = strands.current();
        if (strand != null && strand.role.equals("poll")) {
            boolean unused = more > 0 ? pollsInHandlers.add(strand) : pollsInHandlers.remove(strand);
        }
    }

    boolean isClosed() {
        return closed;
    }

    void tickDispatcher() {
        timer("linger-timer", pipeline.stages().dispatcher()::tick);
    }

    void tickBatchers() {
        pipeline.stages().settler().timers().forEach((role, batcher) -> timer(role, batcher::tick));
    }

    void tickExtender() {
        timer("extender-timer", () -> {
            pipeline.stages().extender().tick();
        });
    }

    /** One look of a timer, guarded as all timers are. */
    private void timer(String role, Runnable look) {
        if (strands.count(strand -> strand.owner.equals(this) && strand.role.equals(role)) > 0) {
            return; // a timer is one thread
        }
        strands.add(this, role, () -> {
            try {
                look.run();
            } catch (Throwable e) { // as the timers' threads do, which take the next look
                events.on(new ListenerEvent.Unexpected("timer", e));
            }
        });
    }

    /** The application's executor: its own threads, the caller's, later, or not at all. */
    private void execute(Runnable task) {
        int way = plan.executor() == HistoryPlan.Executors.THREADS ? 99 : random.nextInt(40);
        if (way == 0 && history.faulty()) {
            history.failures.doThrow("the executor instead of running");
        }
        if (way < 20 && plan.executor() == HistoryPlan.Executors.CALLER_RUNS && strands.current() != null) {
            task.run();
        } else if (!crashed) {
            strands.add(this, "worker", task);
        }
        if (way == 1 && history.faulty()) {
            history.failures.doThrow("the executor although it runs the task");
        }
    }

    void check() {
        Pipeline.Stages stages = pipeline.stages();
        mostPermits = Math.max(mostPermits, stages.limit().limit());
        if (stages.limit().used() > mostPermits + mostLate) {
            books.violated(stages.limit().used() + " permits are taken, of " + mostPermits);
        }
        long bytes = bytes(stages.ledger().tracked()) + bytes(stages.ledger().returning());
        if (stages.limit().heldBytes() != bytes) {
            books.violated("messages of " + bytes + " bytes are held, but "
                    + stages.limit().heldBytes() + " bytes of memory");
        }
        if (stages.ledger().size() > stages.limit().used()) {
            books.violated(stages.ledger().size() + " messages are held with "
                    + stages.limit().used() + " permits");
        }
    }

    private static long bytes(List<Delivery> deliveries) {
        return deliveries.stream().mapToLong(Delivery::bytes).sum();
    }

    /** Half of the plans have memory for a few messages only. */
    private static ListenerMemory memory(ListenerOptions options) {
        boolean little = (options.concurrency() + options.batchSize()) % 2 == 0;
        return little ? new ListenerMemory(new MessageMemory(100)) : ListenerMemory.unlimited();
    }

    // ---- EngineThreads

    @Override
    public Executor virtual(String role) {
        return task -> {
            if (!crashed && !role.equals("poller")) {
                strands.add(this, role, task);
            }
        };
    }

    @Override
    public Executor platform(String role, int size) {
        return virtual(role);
    }

    @Override
    public void resizePool(int size) {}

    @Override
    public Alarm alarm(String role, Runnable look) {
        return Alarm.NONE;
    }

    @Override
    public void every(String role, Duration interval, Runnable task) {}

    @Override
    public void close() {
        closed = true;
    }

    // ---- QueueClient

    @Override
    public List<ReceivedMessage> receive(ReceiveCall call) throws InterruptedException {
        before("ReceiveMessage");
        if (pollsAborted || abortedByPause()) {
            throw new InterruptedException();
        }
        List<ReceivedMessage> answer = history.server.receive(call);
        books.received(answer, this);
        if (history.faulty() && !answer.isEmpty() && random.nextInt(30) == 0) {
            books.undeletable(answer.getFirst());
        }
        if (history.traced() && !answer.isEmpty()) {
            history.note(
                    "received " + answer.stream().map(ReceivedMessage::body).toList());
        }
        after("ReceiveMessage");
        if (pollsAborted || abortedByPause()) {
            throw new InterruptedException();
        }
        return answer;
    }

    @Override
    public List<EntryResult<Void>> delete(Queue queue, List<String> receiptHandles) throws InterruptedException {
        before("DeleteMessageBatch");
        receiptHandles.forEach(books::deleting);
        List<EntryResult<Void>> results = history.server.delete(queue, receiptHandles);
        if (history.traced()) {
            history.note("deleted " + receiptHandles + ": " + results);
        }
        after("DeleteMessageBatch");
        return results;
    }

    @Override
    public List<EntryResult<Void>> changeVisibility(Queue queue, List<VisibilityChange> changes)
            throws InterruptedException {
        before("ChangeMessageVisibilityBatch");
        List<EntryResult<Void>> results = history.server.changeVisibility(queue, changes);
        books.changed(changes, results);
        if (history.traced()) {
            history.note("changed " + changes + ": " + results);
        }
        after("ChangeMessageVisibilityBatch");
        return results;
    }

    @Override
    public List<EntryResult<SentMessage>> send(Queue queue, List<SendEntry> entries) throws InterruptedException {
        before("SendMessageBatch");
        List<EntryResult<SentMessage>> results = history.server.send(queue, entries);
        if (history.traced()) {
            history.note(
                    "dead-lettered " + entries.stream().map(SendEntry::body).toList() + ": " + results);
        }
        after("SendMessageBatch");
        return results;
    }

    private void before(String operation) {
        pauseSometimes();
        if (crashed) {
            throw new Strands.Crash();
        }
        failSometimes(operation, "before");
    }

    private void after(String operation) {
        pauseSometimes();
        failSometimes(operation, "after");
    }

    private void failSometimes(String operation, String when) {
        if (history.faulty() && random.nextInt(20) == 0) {
            history.note(operation + " fails " + when + " the server acted");
            boolean retryable = random.nextInt(4) > 0;
            history.failures.throwOnceIn(3, operation);
            throw new QueueCallException(operation, "ConnectionFailed", when, retryable, null);
        }
    }

    private void pauseSometimes() {
        if (random.nextInt(3) == 0) {
            strands.pause();
        }
    }
}
