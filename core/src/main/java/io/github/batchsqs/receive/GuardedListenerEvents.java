/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.support.EventFailures;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what {@link ListenerEvents} throw from the engine that reports them: logged at most once a minute, and otherwise
 * ignored.
 */
final class GuardedListenerEvents implements ListenerEvents {

    private static final Logger log = LoggerFactory.getLogger(GuardedListenerEvents.class);

    private final ListenerEvents events;
    private final EventFailures failures;

    /**
     * Guards events.
     *
     * @param listener the listener's id, for the log
     */
    GuardedListenerEvents(String listener, ListenerEvents events, TimeSource time) {
        this.events = events;
        this.failures = new EventFailures(log, "Listener " + listener + ": its ListenerEvents", time);
    }

    @Override
    public void started() {
        try {
            events.started();
        } catch (Throwable e) { // an event changes nothing
            failures.record("started", e);
        }
    }

    @Override
    public void stopped() {
        try {
            events.stopped();
        } catch (Throwable e) { // an event changes nothing
            failures.record("stopped", e);
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
    public void received(int messages) {
        try {
            events.received(messages);
        } catch (Throwable e) { // an event changes nothing
            failures.record("received", e);
        }
    }

    @Override
    public void invoking(int batchSize, Duration delay) {
        try {
            events.invoking(batchSize, delay);
        } catch (Throwable e) { // an event changes nothing
            failures.record("invoking", e);
        }
    }

    @Override
    public void invoked(int done, int failed, Duration took) {
        try {
            events.invoked(done, failed, took);
        } catch (Throwable e) { // an event changes nothing
            failures.record("invoked", e);
        }
    }

    @Override
    public void conversionFailed() {
        try {
            events.conversionFailed();
        } catch (Throwable e) { // an event changes nothing
            failures.record("conversionFailed", e);
        }
    }

    @Override
    public void acknowledged(int messages) {
        try {
            events.acknowledged(messages);
        } catch (Throwable e) { // an event changes nothing
            failures.record("acknowledged", e);
        }
    }

    @Override
    public void acknowledgeFailed() {
        try {
            events.acknowledgeFailed();
        } catch (Throwable e) { // an event changes nothing
            failures.record("acknowledgeFailed", e);
        }
    }

    @Override
    public void released(int messages) {
        try {
            events.released(messages);
        } catch (Throwable e) { // an event changes nothing
            failures.record("released", e);
        }
    }

    @Override
    public void deadLettered() {
        try {
            events.deadLettered();
        } catch (Throwable e) { // an event changes nothing
            failures.record("deadLettered", e);
        }
    }

    @Override
    public void leaseExtended(int messages) {
        try {
            events.leaseExtended(messages);
        } catch (Throwable e) { // an event changes nothing
            failures.record("leaseExtended", e);
        }
    }

    @Override
    public void leaseLost() {
        try {
            events.leaseLost();
        } catch (Throwable e) { // an event changes nothing
            failures.record("leaseLost", e);
        }
    }

    @Override
    public void failed(String messageId, Throwable cause) {
        try {
            events.failed(messageId, cause);
        } catch (Throwable e) { // an event changes nothing
            failures.record("failed", e);
        }
    }

    @Override
    public void unexpected(String stage, Throwable failure) {
        try {
            events.unexpected(stage, failure);
        } catch (Throwable e) { // an event changes nothing
            failures.record("unexpected", e);
        }
    }

    @Override
    public void removed() {
        try {
            events.removed();
        } catch (Throwable e) { // an event changes nothing
            failures.record("removed", e);
        }
    }
}
