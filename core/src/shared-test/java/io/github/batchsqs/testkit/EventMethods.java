/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.events.ListenerEvents;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Listener events with a method for each, for tests that care for some of them. */
public interface EventMethods extends ListenerEvents {

    @Override
    default void on(ListenerEvent event) {
        switch (event) {
            case ListenerEvent.Started() -> started();
            case ListenerEvent.Stopped() -> stopped();
            case ListenerEvent.ApiCall(String operation, int entries, Duration took, @Nullable String code) ->
                apiCall(operation, entries, took, code);
            case ListenerEvent.ReceivesFailing(String errorCode) -> receivesFailing(errorCode);
            case ListenerEvent.ReceivesRecovered(Duration failedFor) -> receivesRecovered(failedFor);
            case ListenerEvent.Invoking invoking -> invoking(invoking.messages(), invoking.delay());
            case ListenerEvent.Invoked invoked -> invoked(invoked.done(), invoked.failed(), invoked.took());
            case ListenerEvent.ConversionFailed() -> conversionFailed();
            case ListenerEvent.Acknowledged(int messages) -> acknowledged(messages);
            case ListenerEvent.AcknowledgeFailed() -> acknowledgeFailed();
            case ListenerEvent.Released(int messages) -> released(messages);
            case ListenerEvent.DeadLettered() -> deadLettered();
            case ListenerEvent.LeaseExtended(int messages) -> leaseExtended(messages);
            case ListenerEvent.LeaseLost() -> leaseLost();
            case ListenerEvent.Failed(String messageId, Throwable cause) -> failed(messageId, cause);
            case ListenerEvent.Unexpected(String stage, Throwable failure) -> unexpected(stage, failure);
            case ListenerEvent.Restarting(Throwable failure) -> restarting(failure);
            case ListenerEvent.Removed() -> removed();
        }
    }

    default void started() {}

    default void stopped() {}

    default void apiCall(String operation, int entries, Duration took, @Nullable String errorCode) {}

    default void receivesFailing(String errorCode) {}

    default void receivesRecovered(Duration failedFor) {}

    default void invoking(int messages, Duration delay) {}

    default void invoked(int done, int failed, Duration took) {}

    default void restarting(Throwable failure) {}

    default void conversionFailed() {}

    default void acknowledged(int messages) {}

    default void acknowledgeFailed() {}

    default void released(int messages) {}

    default void deadLettered() {}

    default void leaseExtended(int messages) {}

    default void leaseLost() {}

    default void failed(String messageId, Throwable cause) {}

    default void unexpected(String stage, Throwable failure) {}

    default void removed() {}
}
