/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import io.github.batchsqs.internal.send.BatchSqsTemplate;
import io.github.batchsqs.internal.send.Outbox;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.jdbc.internal.Database;
import io.github.batchsqs.send.SenderOptions;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** The outbox of one instance with its relay, put together as the auto-configuration does. */
@NullMarked
public final class HistoryOutbox {

    private final JdbcOutbox outbox;
    private @Nullable BatchSqsTemplate template;

    /** Puts it together; nothing happens yet. */
    public HistoryOutbox(Database database, Duration shutdownTimeout) {
        OutboxStore store = new OutboxStore(database, OutboxStore.LEASE);
        OutboxMeters meters = new OutboxMeters(null);
        TimeSource time = TimeSource.system();
        Sender sender = (client, messages) -> Objects.requireNonNull(template).sendStored(client, messages);
        Relay relay = new Relay(store, sender, meters, time);
        SenderOptions options = SenderOptions.builder()
                .deliveryTimeout(Duration.ofMinutes(2))
                .shutdownTimeout(shutdownTimeout)
                .build();
        outbox = new JdbcOutbox(store, relay, options, () -> {});
    }

    /** {@return what stores messages} */
    public Outbox outbox() {
        return outbox;
    }

    /** Starts the relay, which sends with this template. */
    public void start(BatchSqsTemplate sender) {
        template = sender;
        outbox.start();
    }

    /** Stops the relay. */
    public void stop() {
        outbox.stop();
    }
}
