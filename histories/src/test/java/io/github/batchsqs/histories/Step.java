/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories;

import io.github.batchsqs.histories.laws.Truth;
import org.jspecify.annotations.Nullable;

/** One thing that happens in a history. A failing history is shortened by leaving out steps. */
sealed interface Step {

    /** A message is sent. */
    record Send(long at, String body, @Nullable String group) implements Step {
        @Override
        public String toString() {
            return Truth.seconds(at) + " send " + body;
        }
    }

    /** What becomes of a call. */
    enum Fault {
        LOST_BEFORE,
        LOST_AFTER,
        LATE,
        THROTTLED,
        ENTRY_REFUSED,
        ENTRY_MISSING,
        DUPLICATE
    }

    /** The call of that number of one instance goes wrong. */
    record CallFault(int instance, String operation, int number, Fault fault) implements Step {
        @Override
        public String toString() {
            return "instance " + instance + ": " + operation + " no. " + number + " is " + fault;
        }
    }

    /** All calls of an instance go wrong for a while. */
    record Outage(int instance, long at, long length, Fault fault) implements Step {
        @Override
        public String toString() {
            return Truth.seconds(at) + " instance " + instance + ": all calls are " + fault + " for "
                    + Truth.seconds(length);
        }
    }

    /** What is done to an instance. */
    enum Deed {
        STOP,
        KILL,
        PAUSE,
        RESUME,
        START,
        CONCURRENCY,
        POLLERS,
        CLOSE_GATE,
        OPEN_GATE,
        REFUSE,
        ACCEPT
    }

    /** Something is done to an instance. */
    record Act(long at, int instance, Deed deed, int value) implements Step {
        @Override
        public String toString() {
            return Truth.seconds(at) + " instance " + instance + ": " + deed + " " + value;
        }
    }

    /** How a handler treats a message. */
    enum Manner {
        THROW,
        THROW_ERROR,
        RETRY,
        RETRY_LATER,
        DEAD_LETTER,
        SLEEP,
        STUBBORN,
        COMPUTE,
        ACKNOWLEDGE_LATE,
        ACKNOWLEDGE_TWICE,
        ACKNOWLEDGE_NEVER,
        NACK,
        UNREADABLE
    }

    /** The handler treats a message so in its runs up to that number. */
    record Treat(String body, int runs, Manner manner, long nanos) implements Step {
        @Override
        public String toString() {
            return body + ": " + manner + (nanos > 0 ? " " + Truth.seconds(nanos) : "") + " in runs up to " + runs;
        }
    }
}
