/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.support.EventFailures;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.util.ClassUtils;

/**
 * Passes the events of one listener to several receivers. What one of them throws disturbs neither the others nor the
 * listener; it is logged at most once a minute for each receiver.
 */
final class CombinedEvents implements ListenerEvents {

    private final Receiver[] receivers;

    /**
     * @param listener the id of the listener, for the log
     * @param receivers get each event in this order
     */
    CombinedEvents(String listener, Collection<ListenerEvents> receivers, Logger log, TimeSource time) {
        this.receivers = receivers.stream()
                .map(each -> new Receiver(
                        each,
                        new EventFailures(
                                log,
                                "Listener " + listener + ": the ListenerEvents "
                                        + ClassUtils.getUserClass(each).getName(),
                                time)))
                .toArray(Receiver[]::new);
    }

    /**
     * Returns the receivers that beans make for one listener. A bean that makes none is logged and left out.
     *
     * @param listener the id of the listener
     * @param queue the name of its queue
     * @param client the name of its client
     */
    static List<ListenerEvents> receivers(
            Collection<ListenerEvents> beans, String listener, String queue, String client, Logger log) {
        List<ListenerEvents> receivers = new ArrayList<>(beans.size());
        for (ListenerEvents bean : beans) {
            try {
                receivers.add(
                        Objects.requireNonNull(bean.forListener(listener, queue, client), "forListener returned null"));
            } catch (Throwable e) { // as what its events throw, it changes nothing
                log.error(
                        "Listener {}: the ListenerEvents {} receive none of its events, because their forListener"
                                + " failed",
                        listener,
                        ClassUtils.getUserClass(bean).getName(),
                        e);
            }
        }
        return receivers;
    }

    /** The receivers get the events one after another, on the thread that reports them. */
    private void each(String method, Consumer<ListenerEvents> event) {
        for (Receiver receiver : receivers) {
            try {
                event.accept(receiver.events());
            } catch (Throwable e) { // an event changes nothing
                receiver.failures().record(method, e);
            }
        }
    }

    private record Receiver(ListenerEvents events, EventFailures failures) {}

    @Override
    public void started() {
        each("started", ListenerEvents::started);
    }

    @Override
    public void stopped() {
        each("stopped", ListenerEvents::stopped);
    }

    @Override
    public void apiCall(String operation, int entries, Duration took, @Nullable String errorCode) {
        each("apiCall", events -> events.apiCall(operation, entries, took, errorCode));
    }

    @Override
    public void received(int messages) {
        each("received", events -> events.received(messages));
    }

    @Override
    public void invoking(int batchSize, Duration delay) {
        each("invoking", events -> events.invoking(batchSize, delay));
    }

    @Override
    public void invoked(int done, int failed, Duration took) {
        each("invoked", events -> events.invoked(done, failed, took));
    }

    @Override
    public void conversionFailed() {
        each("conversionFailed", ListenerEvents::conversionFailed);
    }

    @Override
    public void acknowledged(int messages) {
        each("acknowledged", events -> events.acknowledged(messages));
    }

    @Override
    public void acknowledgeFailed() {
        each("acknowledgeFailed", ListenerEvents::acknowledgeFailed);
    }

    @Override
    public void released(int messages) {
        each("released", events -> events.released(messages));
    }

    @Override
    public void deadLettered() {
        each("deadLettered", ListenerEvents::deadLettered);
    }

    @Override
    public void leaseExtended(int messages) {
        each("leaseExtended", events -> events.leaseExtended(messages));
    }

    @Override
    public void leaseLost() {
        each("leaseLost", ListenerEvents::leaseLost);
    }

    @Override
    public void failed(String messageId, Throwable cause) {
        each("failed", events -> events.failed(messageId, cause));
    }

    @Override
    public void unexpected(String stage, Throwable failure) {
        each("unexpected", events -> events.unexpected(stage, failure));
    }

    @Override
    public void removed() {
        each("removed", ListenerEvents::removed);
    }
}
