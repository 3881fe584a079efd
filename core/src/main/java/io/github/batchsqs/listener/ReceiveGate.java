/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.listener;

import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.SharedAsk;
import io.github.batchsqs.internal.support.TimeSource;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Keeps listeners from receiving while something outside of them cannot take more work: a database that is down, a service
 * with a maintenance window, a backlog in another queue.
 *
 * <p>A listener asks its gates before each receive. It receives if all of them let it, with the smallest maximum. If one
 * refuses, the listener waits: no receive is open, it holds no message for the receive, and messages that it has received
 * are still handled. After the wait, it asks again. A stop or a pause ends
 * the wait at once, and after a resume the gates are asked anew. Its status, its health, the actuator endpoint and a meter report the
 * wait.
 *
 * <p>Threads: {@link #check} is called on the threads of the pollers, by one of a listener at a time; its answer counts
 * for those that wait meanwhile. It should return within milliseconds, because the listener waits for it; cache what
 * takes longer. A stop or a pause interrupts it. A permission may be discarded, because another gate refuses for
 * example, so a check must not consume or reserve anything.
 *
 * <p>Errors: a gate that throws, also an {@code Error}, or returns {@code null}, refuses for one second. The log has one line
 * when it begins to fail, one a minute, and one when it responds again. The health of the listener is DOWN when a gate has
 * failed, or has not responded, for a minute.
 */
@FunctionalInterface
public interface ReceiveGate {

    /**
     * Decides about the next receive of a listener.
     *
     * @param listenerId the id of the listener that asks; one with several queues asks with an id for each of them, such as
     *     {@code intake-returns}
     * @return whether it may receive
     * @throws InterruptedException if the calling thread is interrupted, by a stop for example
     */
    Permission check(String listenerId) throws InterruptedException;

    /**
     * Returns the ids of the listeners that ask this gate; empty for all of them. Read once for each listener, when it is
     * created. The id of a listener with several queues stands for all of its containers.
     *
     * @return the ids; all listeners ask it if there is none
     */
    default Set<String> listeners() {
        return Set.of();
    }

    /**
     * {@return this gate for these listeners only}
     *
     * @param ids the ids of the listeners, at least one
     * @throws InvalidOptionException if there is none, or one is blank
     */
    default ReceiveGate forListeners(String... ids) {
        Check.that(
                ids.length > 0 && Arrays.stream(ids).noneMatch(String::isBlank),
                "listeners",
                "must be ids of listeners",
                Arrays.toString(ids),
                "name at least one listener, or leave the call out for all");
        Set<String> listeners = new LinkedHashSet<>(Arrays.asList(ids));
        ReceiveGate gate = this;
        return new ReceiveGate() {
            @Override
            public Permission check(String listenerId) throws InterruptedException {
                return gate.check(listenerId);
            }

            @Override
            public Set<String> listeners() {
                return Set.copyOf(listeners);
            }
        };
    }

    /**
     * Returns a gate that is open while a condition holds. The condition is evaluated at most once a second, by one thread, for
     * all pollers of all listeners; what it throws counts as a failure of the gate for that second.
     *
     * @param condition whether listeners may receive
     * @param reason why they wait if not, for the health and the log
     * @return the gate
     */
    static ReceiveGate when(BooleanSupplier condition, String reason) {
        Permission wait = Permission.waitFor(Duration.ofSeconds(1), reason);
        Duration second = Duration.ofSeconds(1);
        var open = new SharedAsk<>("batchsqs-gate", condition::getAsBoolean, second, second, TimeSource.system());
        return listener -> open.answer() ? Permission.go() : wait;
    }

    /**
     * Returns a gate that is open while another queue, for example the one to which a handler sends, has no more than
     * so many messages. All messages count that are not deleted: waiting, in flight and delayed. SQS counts
     * approximately, and the queue is looked up at most every 5 s for all listeners that ask. A look-up that fails is a
     * failure of the gate.
     *
     * @param resolver looks up the queue
     * @param queue the name, URL or ARN of a queue that none of the listeners reads, or it would never get shorter
     * @param maxMessages the number of messages above which the gate is closed, at least 0
     * @return the gate
     * @throws InvalidOptionException if the number is negative
     */
    static ReceiveGate whileQueueHasAtMost(QueueResolver resolver, String queue, long maxMessages) {
        Check.that(
                maxMessages >= 0, "the maximum of a gate", "must be at least 0", maxMessages, "set 0 or more messages");
        QueueDepth depth = new QueueDepth(resolver, queue, TimeSource.system());
        return listener -> {
            String reason = depth.above(maxMessages);
            // Shorter than a look-up is kept, so that the next one is not late.
            return reason == null ? Permission.go() : Permission.waitFor(Duration.ofSeconds(1), reason);
        };
    }

    /** The answer of a gate. */
    sealed interface Permission {

        /** {@return the permission to receive} */
        static Permission go() {
            return Go.UNBOUNDED;
        }

        /**
         * Returns the permission to receive, with a maximum for the one receive of the poller that asks. Each poller that waits for
         * the answer may make one such receive too, and none of them starts a further poller.
         *
         * @param messages the maximum number of messages, at least 1; a receive brings no more than 10 in any case
         * @return the permission
         * @throws InvalidOptionException if the number is below 1
         */
        static Permission goWithAtMost(int messages) {
            return new Go(messages);
        }

        /**
         * Returns the refusal to receive: the listener waits, and asks again.
         *
         * @param duration the time until the listener asks again; 10 ms if it is shorter, also if negative, and 1 h if it is longer
         * @param reason why it waits; the health shows it, so it must not contain secrets
         * @return the refusal
         */
        static Permission waitFor(Duration duration, String reason) {
            return new Wait(duration, reason);
        }
    }

    /**
     * The listener may receive.
     *
     * @param maxMessages the maximum number of messages of a receive, at least 1
     */
    record Go(int maxMessages) implements Permission {

        private static final Go UNBOUNDED = new Go(Integer.MAX_VALUE);

        /**
         * Checks the number.
         *
         * @throws InvalidOptionException if it is below 1
         */
        public Go {
            Check.that(
                    maxMessages >= 1,
                    "the maximum of a gate",
                    "must be at least 1",
                    maxMessages,
                    "return Permission.waitFor(…) to receive nothing");
        }
    }

    /**
     * The listener waits, and asks again.
     *
     * @param duration the time until it asks again, from 10 ms to 1 h
     * @param reason why it waits
     */
    record Wait(Duration duration, String reason) implements Permission {

        private static final Duration MIN = Duration.ofMillis(10);
        private static final Duration MAX = Duration.ofHours(1);

        /** Takes the next duration within the range: what a gate has computed is no reason to fail. */
        public Wait {
            duration = duration.compareTo(MIN) < 0 ? MIN : duration.compareTo(MAX) > 0 ? MAX : duration;
            Objects.requireNonNull(reason, "reason");
        }
    }
}
