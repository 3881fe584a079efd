/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import io.github.batchsqs.events.SenderEvents;
import io.github.batchsqs.support.EventFailures;
import io.github.batchsqs.support.SafeLog;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what {@link SenderEvents} throw from the sender that reports them: logged at most once a minute, and otherwise
 * ignored.
 */
final class GuardedSenderEvents implements SenderEvents {

    private static final Logger log = LoggerFactory.getLogger(GuardedSenderEvents.class);

    private final SenderEvents events;
    private final EventFailures failures;

    private GuardedSenderEvents(String queue, SenderEvents events, TimeSource time) {
        this.events = events;
        this.failures = new EventFailures(log, "Sender to " + queue + ": its SenderEvents", time);
    }

    /** Makes the events of a queue and guards them; {@link SenderEvents#NONE} if they cannot be made. */
    static SenderEvents of(String queue, Function<String, SenderEvents> events, TimeSource time) {
        try {
            return new GuardedSenderEvents(queue, events.apply(queue), time);
        } catch (Throwable e) { // messages go out without their meters rather than not at all
            new SafeLog(log)
                    .error("Sender to {}: its SenderEvents could not be made; it goes on without them", queue, e);
            return NONE;
        }
    }

    @Override
    public void apiCall(String operation, int entries, Duration took, @Nullable String errorCode) {
        try {
            events.apiCall(operation, entries, took, errorCode);
        } catch (Throwable e) { // an event changes nothing
            failures.record("apiCall", e);
        }
    }

    @Override
    public void receiveCall(String operation, int messages, Duration took, @Nullable String errorCode) {
        try {
            events.receiveCall(operation, messages, took, errorCode);
        } catch (Throwable e) { // an event changes nothing
            failures.record("receiveCall", e);
        }
    }

    @Override
    public void buffered() {
        try {
            events.buffered();
        } catch (Throwable e) { // an event changes nothing
            failures.record("buffered", e);
        }
    }

    @Override
    public void unbuffered() {
        try {
            events.unbuffered();
        } catch (Throwable e) { // an event changes nothing
            failures.record("unbuffered", e);
        }
    }

    @Override
    public void sending(int messages, long bytes) {
        try {
            events.sending(messages, bytes);
        } catch (Throwable e) { // an event changes nothing
            failures.record("sending", e);
        }
    }

    @Override
    public void retried(int messages) {
        try {
            events.retried(messages);
        } catch (Throwable e) { // an event changes nothing
            failures.record("retried", e);
        }
    }

    @Override
    public void sent(Duration delay) {
        try {
            events.sent(delay);
        } catch (Throwable e) { // an event changes nothing
            failures.record("sent", e);
        }
    }

    @Override
    public void failed(String code) {
        try {
            events.failed(code);
        } catch (Throwable e) { // an event changes nothing
            failures.record("failed", e);
        }
    }

    @Override
    public void refused(String code) {
        try {
            events.refused(code);
        } catch (Throwable e) { // an event changes nothing
            failures.record("refused", e);
        }
    }
}
