/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.support.GuardedEvents;
import io.github.batchsqs.time.TimeSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.springframework.util.ClassUtils;

/**
 * Passes the events of one listener to several receivers. What one of them throws disturbs neither the others nor the
 * listener; it is logged at most once a minute for each receiver.
 */
final class CombinedEvents implements ListenerEvents {

    private final List<Consumer<ListenerEvent>> receivers;

    /**
     * @param listener the id of the listener, for the log
     * @param receivers get each event in this order, on the thread that reports it
     */
    CombinedEvents(String listener, Collection<ListenerEvents> receivers, Logger log, TimeSource time) {
        this.receivers = receivers.stream()
                .<Consumer<ListenerEvent>>map(each -> new GuardedEvents<>(
                        each::on,
                        log,
                        "Listener " + listener + ": the ListenerEvents "
                                + ClassUtils.getUserClass(each).getName(),
                        time))
                .toList();
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

    @Override
    public void on(ListenerEvent event) {
        for (Consumer<ListenerEvent> receiver : receivers) {
            receiver.accept(event);
        }
    }
}
