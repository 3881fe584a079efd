/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.events;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

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
        meters.gauge("buffered", "Messages buffered and not yet accepted", null, waiting::get);
        meters.callsPerMessage("send", "none", queue);
    }

    @Override
    public void on(SenderEvent event) {
        switch (event) {
            case SenderEvent.ApiCall call -> meters.apiCall(call.operation(), call.took(), call.errorCode());
            case SenderEvent.ReceiveCall call -> // not among the calls per message that was sent
                meters.idleCall(call.operation(), call.took(), call.errorCode());
            case SenderEvent.Buffered(int messages) -> waiting.addAndGet(messages);
            case SenderEvent.Sending(int messages, long bytes) -> {
                batchSize.record(messages);
                batchBytes.record((double) bytes);
            }
            case SenderEvent.Retried(int messages) -> retries.increment(messages);
            case SenderEvent.Sent one -> {
                waiting.decrementAndGet();
                sent.increment();
                meters.messages(1);
                delay.record(one.delayNanos(), TimeUnit.NANOSECONDS);
            }
            case SenderEvent.Failed(String code) -> {
                waiting.decrementAndGet();
                failures(code).increment();
            }
            case SenderEvent.Refused(String code) -> failures(code).increment();
        }
    }

    private Counter failures(String code) {
        return failures.computeIfAbsent(
                code, each -> meters.counter("failures", "Messages that were not sent", "code", each));
    }
}
