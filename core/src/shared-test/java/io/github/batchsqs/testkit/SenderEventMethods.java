/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import io.github.batchsqs.internal.events.SenderEvent;
import io.github.batchsqs.internal.events.SenderEvents;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Sender events with a method for each, for tests that care for some of them. */
public interface SenderEventMethods extends SenderEvents {

    @Override
    default void on(SenderEvent event) {
        switch (event) {
            case SenderEvent.ApiCall call -> apiCall(call.operation(), call.entries(), call.took(), call.errorCode());
            case SenderEvent.ReceiveCall call ->
                receiveCall(call.operation(), call.messages(), call.took(), call.errorCode());
            case SenderEvent.Buffered(int messages) -> {
                for (int i = 0; i < messages; i++) {
                    buffered();
                }
            }
            case SenderEvent.Sending(int messages, long bytes) -> sending(messages, bytes);
            case SenderEvent.Retried(int messages) -> retried(messages);
            case SenderEvent.Sent sent -> sent(Duration.ofNanos(sent.delayNanos()));
            case SenderEvent.Failed(String code) -> failed(code);
            case SenderEvent.Refused(String code) -> refused(code);
        }
    }

    default void apiCall(String operation, int entries, Duration took, @Nullable String errorCode) {}

    default void receiveCall(String operation, int messages, Duration took, @Nullable String errorCode) {}

    default void buffered() {}

    default void sending(int messages, long bytes) {}

    default void retried(int messages) {}

    default void sent(Duration delay) {}

    default void failed(String code) {}

    default void refused(String code) {}
}
