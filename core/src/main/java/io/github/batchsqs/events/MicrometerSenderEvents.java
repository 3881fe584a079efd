/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.events;

import io.github.batchsqs.client.QueueClient;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Counts what is sent to one queue in Micrometer, under {@code batchsqs.sender.}, with the tags {@code queue} and {@code client}. */
public final class MicrometerSenderEvents implements SenderEvents {

    private final Meters meters;
    private final AtomicInteger waiting = new AtomicInteger();
    private final Counter sent;
    private final Timer delay;
    private final DistributionSummary batchSize;
    private final DistributionSummary batchBytes;
    private final Counter retries;
    private final Map<String, Counter> failures = new ConcurrentHashMap<>();

    /**
     * Registers the meters of a queue of the default client.
     *
     * @param registry the registry that has the meters
     * @param queue the queue's name
     */
    public MicrometerSenderEvents(MeterRegistry registry, String queue) {
        this(registry, queue, QueueClient.DEFAULT_NAME);
    }

    /**
     * Registers the meters.
     *
     * @param registry the registry that has the meters
     * @param queue the queue's name
     * @param client the name of the client that sends to the queue
     */
    public MicrometerSenderEvents(MeterRegistry registry, String queue, String client) {
        meters = new Meters(registry, "batchsqs.sender.", client, Tags.of("queue", queue));
        sent = meters.counter("sent", "Messages that SQS accepted");
        delay = meters.timer("delay", "From the time that a message was buffered until SQS accepted it");
        batchSize = meters.summary("batch.size", "Messages per call");
        batchBytes = meters.summary("batch.bytes", "Bytes per call");
        retries = meters.counter("retries", "Messages that were sent again");
        meters.gauge("buffered", "Messages buffered and not yet accepted", waiting::get);
        meters.callsPerMessage("send", "none", queue);
    }

    @Override
    public void apiCall(String operation, int entries, Duration took, @Nullable String errorCode) {
        meters.apiCall(operation, took, errorCode);
    }

    /** Not among the calls per message that was sent. */
    @Override
    public void receiveCall(String operation, int messages, Duration took, @Nullable String errorCode) {
        meters.idleCall(operation, took, errorCode);
    }

    @Override
    public void buffered() {
        waiting.incrementAndGet();
    }

    @Override
    public void unbuffered() {
        waiting.decrementAndGet();
    }

    @Override
    public void sending(int messages, long bytes) {
        batchSize.record(messages);
        batchBytes.record((double) bytes);
    }

    @Override
    public void retried(int messages) {
        retries.increment(messages);
    }

    @Override
    public void sent(Duration sinceBuffered) {
        waiting.decrementAndGet();
        sent.increment();
        meters.messages(1);
        delay.record(sinceBuffered);
    }

    @Override
    public void failed(String code) {
        waiting.decrementAndGet();
        failures(code).increment();
    }

    @Override
    public void refused(String code) {
        failures(code).increment();
    }

    private Counter failures(String code) {
        return failures.computeIfAbsent(
                code, each -> meters.counter("failures", "Messages that were not sent", "code", each));
    }
}
