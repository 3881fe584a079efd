/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.delivery;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What becomes of a {@link Delivery}: the invocation decides it, and the settlement carries it out. */
public sealed interface Settlement {

    /** It was handled: delete it. */
    record Delete() implements Settlement {}

    /**
     * It was not handled: return it to the queue.
     *
     * @param after when it becomes visible again, 0 s to 12 h from now
     * @param named whether the handler named this delay; {@code false} if the backoff did, which a retry here may shorten
     */
    record Release(Duration after, boolean named) implements Settlement {
        public Release(Duration after) {
            this(after, false);
        }
    }

    /**
     * It is never to be handled: send it to the dead-letter queue, then delete it.
     *
     * @param cause why, for its attributes
     * @param otherwise when it becomes visible again if there is no dead-letter queue, or that does not accept it
     */
    record DeadLetter(@Nullable Throwable cause, Duration otherwise) implements Settlement {}

    /** Neither delete nor return it: its lease ends by itself. */
    record Untrack() implements Settlement {}

    /**
     * It did not run, because one before it in its group did not pass, or the executor refused its batch: it waits again, behind the one
     * before it, or returns with that.
     *
     * @param alone whether its batch failed as a whole before, so that it runs alone next time
     */
    record NotRun(boolean alone) implements Settlement {}

    /** The handler settles it, now or later. */
    record Manual() implements Settlement {}
}
