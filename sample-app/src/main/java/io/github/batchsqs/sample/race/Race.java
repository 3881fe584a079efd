/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.race;

import com.sun.management.OperatingSystemMXBean;
import io.awspring.cloud.sqs.listener.MessageListenerContainer;
import io.awspring.cloud.sqs.listener.MessageListenerContainerRegistry;
import io.github.batchsqs.receive.ListenerContainer;
import io.github.batchsqs.receive.ListenerContainers;
import io.github.batchsqs.sample.settings.SampleProperties;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/**
 * Drains the same number of messages with each listener, in turn, twice, and reports the second laps: in the first ones both are compiled.
 * The time and the CPU time are those of the whole process, the server in it included, so they are the same for both.
 */
@Component
public class Race {

    private static final int PER_CALL = 10;
    private static final long PATIENCE_SECONDS = 60;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MICRO = 1e3;

    private final SqsClient sqs;
    private final RaceListeners listeners;
    private final ListenerContainers ours;
    private final MessageListenerContainerRegistry peers;
    private final int messages;
    private final boolean embedded;
    private final OperatingSystemMXBean process =
            Objects.requireNonNull(ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class));
    private final ReentrantLock running = new ReentrantLock();

    /** What a lap took. */
    public record Lap(double perSecond, double cpuMicrosPerMessage) {}

    /** The laps of both, over the same number of messages. */
    public record Result(int messages, Lap peer, Lap ours) {}

    Race(
            @Qualifier("batchSqsClient") SqsClient sqs,
            RaceListeners listeners,
            ListenerContainers ours,
            MessageListenerContainerRegistry peers,
            SampleProperties properties,
            @Value("${batchsqs.embedded.enabled:false}") boolean embedded) {
        this.sqs = sqs;
        this.listeners = listeners;
        this.ours = ours;
        this.peers = peers;
        this.messages = properties.raceMessages();
        this.embedded = embedded;
    }

    /** Returns why there can be no race now, or an empty text. */
    public String impossible() {
        if (!embedded) {
            return "The race runs on the embedded server only: elsewhere its messages cost money";
        }
        return running.isLocked() ? "A race is under way" : "";
    }

    /**
     * Runs the race; takes seconds.
     *
     * @throws IllegalStateException if one is under way, or if a lap does not end within a minute
     */
    public Result run() throws InterruptedException {
        if (!embedded || !running.tryLock()) {
            throw new IllegalStateException(impossible());
        }
        try {
            Lap peer = new Lap(0, 0);
            Lap mine = new Lap(0, 0);
            for (int lap = 0; lap < 2; lap++) {
                MessageListenerContainer<?> theirs = Objects.requireNonNull(peers.getContainerById(RaceListeners.PEER));
                peer = lap(theirs::start, theirs::stop);
                ListenerContainer own = ours.get(RaceListeners.OURS);
                mine = lap(own::start, own::stop);
            }
            return new Result(messages, peer, mine);
        } finally {
            running.unlock();
        }
    }

    /** Fills the queue, and drains it: from the start of the listener to the end of its stop, which sends its last deletes. */
    private Lap lap(Runnable start, Runnable stop) throws InterruptedException {
        fill();
        listeners.await(messages);
        long cpu = process.getProcessCpuTime();
        long begin = System.nanoTime();
        start.run();
        boolean drained = listeners.left().await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        double seconds = (System.nanoTime() - begin) / NANOS_PER_SECOND;
        stop.run();
        if (!drained) {
            throw new IllegalStateException("A lap of the race did not end within " + PATIENCE_SECONDS + " s; "
                    + listeners.left().getCount() + " messages were left");
        }
        double micros = (process.getProcessCpuTime() - cpu) / NANOS_PER_MICRO;
        return new Lap(messages / seconds, micros / messages);
    }

    private void fill() {
        String url = sqs.getQueueUrl(request -> request.queueName(RaceListeners.QUEUE))
                .queueUrl();
        for (int sent = 0; sent < messages; sent += PER_CALL) {
            List<SendMessageBatchRequestEntry> entries = new ArrayList<>(PER_CALL);
            for (int i = sent; i < Math.min(messages, sent + PER_CALL); i++) {
                entries.add(SendMessageBatchRequestEntry.builder()
                        .id(String.valueOf(i - sent))
                        .messageBody("{\"number\":" + i + ",\"customer\":\"customer-" + i % 100
                                + "\",\"cents\":4999,\"parcel\":true}")
                        .build());
            }
            if (!sqs.sendMessageBatch(request -> request.queueUrl(url).entries(entries))
                    .failed()
                    .isEmpty()) {
                throw new IllegalStateException("The embedded server refused messages of the race");
            }
        }
    }
}
