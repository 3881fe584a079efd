/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MicrometerSenderEventsTests {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MicrometerSenderEvents events = new MicrometerSenderEvents(registry, "orders", "default");

    @Test
    void countsWhatWasSentAndWhatWaits() {
        events.on(new SenderEvent.Buffered(1));
        events.on(new SenderEvent.Buffered(1));
        events.on(new SenderEvent.Buffered(1));
        events.on(new SenderEvent.Sending(3, 300));
        events.on(new SenderEvent.Sent(Duration.ofMillis(7).toNanos()));
        events.on(new SenderEvent.Retried(1));
        events.on(new SenderEvent.Failed("Bad"));
        events.on(new SenderEvent.Refused("InvalidMessage"));
        assertThat(registry.get("batchsqs.sender.sent")
                        .tags("queue", "orders", "client", "default")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("batchsqs.sender.buffered").gauge().value()).isEqualTo(1);
        assertThat(registry.get("batchsqs.sender.retries").counter().count()).isEqualTo(1);
        assertThat(registry.get("batchsqs.sender.batch.size").summary().max()).isEqualTo(3);
        assertThat(registry.get("batchsqs.sender.batch.bytes").summary().max()).isEqualTo(300);
        assertThat(registry.get("batchsqs.sender.delay").timer().count()).isEqualTo(1);
        assertThat(registry.get("batchsqs.sender.failures")
                        .tag("code", "Bad")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("batchsqs.sender.failures")
                        .tag("code", "InvalidMessage")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void countsReceivesThroughTheTemplateAmongTheCallsAndNotPerMessageSent() {
        events.on(new SenderEvent.Sent(Duration.ofMillis(7).toNanos()));
        events.on(new SenderEvent.ApiCall("SendMessageBatch", 1, Duration.ofMillis(5), null));
        events.on(new SenderEvent.ReceiveCall("ReceiveMessage", 3, Duration.ofMillis(5), null));
        assertThat(registry.get("batchsqs.api.calls")
                        .tag("operation", "ReceiveMessage")
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("batchsqs.api.calls.per.message").gauge().value())
                .isEqualTo(1);
    }
}
