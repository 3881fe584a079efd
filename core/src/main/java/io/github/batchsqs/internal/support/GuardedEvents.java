/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import java.util.function.Consumer;
import org.slf4j.Logger;

/**
 * Passes events to a receiver, and keeps what it throws from whoever reports them: logged at most once a minute, and otherwise
 * ignored.
 *
 * @param <E> the type of the events
 */
public final class GuardedEvents<E> implements Consumer<E> {

    private final Consumer<E> receiver;
    private final SafeLog log;
    private final String subject;
    private final OncePerMinute line;

    /**
     * Guards a receiver.
     *
     * @param subject begins each line, for example {@code Listener orders: its ListenerEvents}
     */
    public GuardedEvents(Consumer<E> receiver, Logger log, String subject, TimeSource time) {
        this.receiver = receiver;
        this.log = new SafeLog(log);
        this.subject = subject;
        this.line = new OncePerMinute(time);
    }

    @Override
    public void accept(E event) {
        Throwable failure = ForeignCode.run(() -> receiver.accept(event));
        if (failure != null && line.due()) {
            log.error(
                    "{} threw at {}, which has no other effect",
                    subject,
                    event.getClass().getSimpleName(),
                    failure);
        }
    }
}
