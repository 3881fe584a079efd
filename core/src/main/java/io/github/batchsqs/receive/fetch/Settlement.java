/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.fetch;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What is to become of a {@link Delivery}: the word that the invocation gives and the settlement carries out. */
public sealed interface Settlement {

    /** Whether what is behind it in its lane may run. */
    default boolean passed() {
        return this instanceof Delete || this instanceof ByHand;
    }

    /** It was handled: delete it. */
    record Delete() implements Settlement {}

    /**
     * It was not handled: give it back.
     *
     * @param after when it becomes visible again, 0 s to 12 h from now
     */
    record Release(Duration after) implements Settlement {}

    /**
     * It is never to be handled: send it to the dead-letter queue, then delete it.
     *
     * @param cause why, told in its attributes
     * @param otherwise when it becomes visible again if there is no dead-letter queue, or that does not accept it
     */
    record DeadLetter(@Nullable Throwable cause, Duration otherwise) implements Settlement {}

    /** Neither delete nor give it back: its lease ends by itself. */
    record Leave() implements Settlement {}

    /** It did not run, because one before it in its lane did not pass: it shares the lane's fate. */
    record NotRun() implements Settlement {}

    /** The handler settles it by hand, now or later. */
    record ByHand() implements Settlement {}
}
