/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import io.github.batchsqs.events.ListenerEvents;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Two receivers of the events of one listener. What the first throws does not keep the second from the event; the container
 * guards itself against both.
 */
record CombinedEvents(ListenerEvents first, ListenerEvents second) implements ListenerEvents {

    @Override
    public void started() {
        try {
            first.started();
        } finally {
            second.started();
        }
    }

    @Override
    public void stopped() {
        try {
            first.stopped();
        } finally {
            second.stopped();
        }
    }

    @Override
    public void apiCall(String operation, int entries, Duration took, @Nullable String errorCode) {
        try {
            first.apiCall(operation, entries, took, errorCode);
        } finally {
            second.apiCall(operation, entries, took, errorCode);
        }
    }

    @Override
    public void received(int messages) {
        try {
            first.received(messages);
        } finally {
            second.received(messages);
        }
    }

    @Override
    public void invoking(int batchSize, Duration delay) {
        try {
            first.invoking(batchSize, delay);
        } finally {
            second.invoking(batchSize, delay);
        }
    }

    @Override
    public void invoked(int done, int failed, Duration took) {
        try {
            first.invoked(done, failed, took);
        } finally {
            second.invoked(done, failed, took);
        }
    }

    @Override
    public void conversionFailed() {
        try {
            first.conversionFailed();
        } finally {
            second.conversionFailed();
        }
    }

    @Override
    public void acknowledged(int messages) {
        try {
            first.acknowledged(messages);
        } finally {
            second.acknowledged(messages);
        }
    }

    @Override
    public void acknowledgeFailed() {
        try {
            first.acknowledgeFailed();
        } finally {
            second.acknowledgeFailed();
        }
    }

    @Override
    public void released(int messages) {
        try {
            first.released(messages);
        } finally {
            second.released(messages);
        }
    }

    @Override
    public void deadLettered() {
        try {
            first.deadLettered();
        } finally {
            second.deadLettered();
        }
    }

    @Override
    public void leaseExtended(int messages) {
        try {
            first.leaseExtended(messages);
        } finally {
            second.leaseExtended(messages);
        }
    }

    @Override
    public void leaseLost() {
        try {
            first.leaseLost();
        } finally {
            second.leaseLost();
        }
    }

    @Override
    public void failed(String messageId, Throwable cause) {
        try {
            first.failed(messageId, cause);
        } finally {
            second.failed(messageId, cause);
        }
    }

    @Override
    public void unexpected(String stage, Throwable failure) {
        try {
            first.unexpected(stage, failure);
        } finally {
            second.unexpected(stage, failure);
        }
    }

    @Override
    public void removed() {
        try {
            first.removed();
        } finally {
            second.removed();
        }
    }
}
