/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import io.github.batchsqs.events.ListenerEvents;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Two receivers of the events of one listener. What the first throws does not keep the second from the event; if both throw,
 * the failure of the second is suppressed in that of the first. The container guards itself against both.
 */
record CombinedEvents(ListenerEvents first, ListenerEvents second) implements ListenerEvents {

    @Override
    public void started() {
        try {
            first.started();
        } catch (Throwable e) {
            FirstFailure.then(e, () -> second.started());
            throw e;
        }
        second.started();
    }

    @Override
    public void stopped() {
        try {
            first.stopped();
        } catch (Throwable e) {
            FirstFailure.then(e, () -> second.stopped());
            throw e;
        }
        second.stopped();
    }

    @Override
    public void apiCall(String operation, int entries, Duration took, @Nullable String errorCode) {
        try {
            first.apiCall(operation, entries, took, errorCode);
        } catch (Throwable e) {
            FirstFailure.then(e, () -> second.apiCall(operation, entries, took, errorCode));
            throw e;
        }
        second.apiCall(operation, entries, took, errorCode);
    }

    @Override
    public void received(int messages) {
        try {
            first.received(messages);
        } catch (Throwable e) {
            FirstFailure.then(e, () -> second.received(messages));
            throw e;
        }
        second.received(messages);
    }

    @Override
    public void invoking(int batchSize, Duration delay) {
        try {
            first.invoking(batchSize, delay);
        } catch (Throwable e) {
            FirstFailure.then(e, () -> second.invoking(batchSize, delay));
            throw e;
        }
        second.invoking(batchSize, delay);
    }

    @Override
    public void invoked(int done, int failed, Duration took) {
        try {
            first.invoked(done, failed, took);
        } catch (Throwable e) {
            FirstFailure.then(e, () -> second.invoked(done, failed, took));
            throw e;
        }
        second.invoked(done, failed, took);
    }

    @Override
    public void conversionFailed() {
        try {
            first.conversionFailed();
        } catch (Throwable e) {
            FirstFailure.then(e, () -> second.conversionFailed());
            throw e;
        }
        second.conversionFailed();
    }

    @Override
    public void acknowledged(int messages) {
        try {
            first.acknowledged(messages);
        } catch (Throwable e) {
            FirstFailure.then(e, () -> second.acknowledged(messages));
            throw e;
        }
        second.acknowledged(messages);
    }

    @Override
    public void acknowledgeFailed() {
        try {
            first.acknowledgeFailed();
        } catch (Throwable e) {
            FirstFailure.then(e, () -> second.acknowledgeFailed());
            throw e;
        }
        second.acknowledgeFailed();
    }

    @Override
    public void released(int messages) {
        try {
            first.released(messages);
        } catch (Throwable e) {
            FirstFailure.then(e, () -> second.released(messages));
            throw e;
        }
        second.released(messages);
    }

    @Override
    public void deadLettered() {
        try {
            first.deadLettered();
        } catch (Throwable e) {
            FirstFailure.then(e, () -> second.deadLettered());
            throw e;
        }
        second.deadLettered();
    }

    @Override
    public void leaseExtended(int messages) {
        try {
            first.leaseExtended(messages);
        } catch (Throwable e) {
            FirstFailure.then(e, () -> second.leaseExtended(messages));
            throw e;
        }
        second.leaseExtended(messages);
    }

    @Override
    public void leaseLost() {
        try {
            first.leaseLost();
        } catch (Throwable e) {
            FirstFailure.then(e, () -> second.leaseLost());
            throw e;
        }
        second.leaseLost();
    }

    @Override
    public void failed(String messageId, Throwable cause) {
        try {
            first.failed(messageId, cause);
        } catch (Throwable e) {
            FirstFailure.then(e, () -> second.failed(messageId, cause));
            throw e;
        }
        second.failed(messageId, cause);
    }

    @Override
    public void unexpected(String stage, Throwable failure) {
        try {
            first.unexpected(stage, failure);
        } catch (Throwable e) {
            FirstFailure.then(e, () -> second.unexpected(stage, failure));
            throw e;
        }
        second.unexpected(stage, failure);
    }

    @Override
    public void removed() {
        try {
            first.removed();
        } catch (Throwable e) {
            FirstFailure.then(e, () -> second.removed());
            throw e;
        }
        second.removed();
    }
}
