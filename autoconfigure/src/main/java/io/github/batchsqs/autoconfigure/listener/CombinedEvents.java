/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import io.github.batchsqs.events.ListenerEvents;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Two receivers of the events of one listener. */
record CombinedEvents(ListenerEvents first, ListenerEvents second) implements ListenerEvents {

    @Override
    public void started() {
        first.started();
        second.started();
    }

    @Override
    public void stopped() {
        first.stopped();
        second.stopped();
    }

    @Override
    public void apiCall(String operation, int entries, Duration took, @Nullable String errorCode) {
        first.apiCall(operation, entries, took, errorCode);
        second.apiCall(operation, entries, took, errorCode);
    }

    @Override
    public void received(int messages) {
        first.received(messages);
        second.received(messages);
    }

    @Override
    public void invoking(int batchSize, Duration delay) {
        first.invoking(batchSize, delay);
        second.invoking(batchSize, delay);
    }

    @Override
    public void invoked(int done, int failed, Duration took) {
        first.invoked(done, failed, took);
        second.invoked(done, failed, took);
    }

    @Override
    public void conversionFailed() {
        first.conversionFailed();
        second.conversionFailed();
    }

    @Override
    public void acknowledged(int messages) {
        first.acknowledged(messages);
        second.acknowledged(messages);
    }

    @Override
    public void acknowledgeFailed() {
        first.acknowledgeFailed();
        second.acknowledgeFailed();
    }

    @Override
    public void released(int messages) {
        first.released(messages);
        second.released(messages);
    }

    @Override
    public void deadLettered() {
        first.deadLettered();
        second.deadLettered();
    }

    @Override
    public void leaseExtended(int messages) {
        first.leaseExtended(messages);
        second.leaseExtended(messages);
    }

    @Override
    public void leaseLost() {
        first.leaseLost();
        second.leaseLost();
    }

    @Override
    public void failed(String messageId, Throwable cause) {
        first.failed(messageId, cause);
        second.failed(messageId, cause);
    }

    @Override
    public void unexpected(String stage, Throwable failure) {
        first.unexpected(stage, failure);
        second.unexpected(stage, failure);
    }

    @Override
    public void removed() {
        first.removed();
        second.removed();
    }
}
