/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import io.github.batchsqs.internal.receive.delivery.Settlement;
import io.github.batchsqs.time.TimeSource;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the messages of one call that failed as a whole one by one. Each is settled as soon as it has run; {@link
 * EarlySettlement} decides whether its group goes on.
 */
final class IndividualRun<T> {

    private static final Settlement NOT_RUN_ALONE = new Settlement.NotRun(true);

    private final Admission<T> admission;
    private final HandlerCall<T> handler;
    private final OutcomePolicy outcomes;
    private final EarlySettlement early;
    private final TimeSource time;

    IndividualRun(
            Admission<T> admission,
            HandlerCall<T> handler,
            OutcomePolicy outcomes,
            EarlySettlement early,
            TimeSource time) {
        this.admission = admission;
        this.handler = handler;
        this.outcomes = outcomes;
        this.early = early;
        this.time = time;
    }

    /**
     * Runs the messages, and sets the settlement of each. Messages that a stop keeps from running return to the queue; a message
     * that is no longer ours never runs. The run of the whole batch was an attempt of each.
     *
     * @param ended whether no further message may start
     */
    void run(List<ConvertedMessage<T>> messages, @Nullable Settlement[] settlements, BooleanSupplier ended) {
        for (ConvertedMessage<T> message : messages) {
            String group = message.delivery().group();
            if (ended.getAsBoolean() || (group != null && !early.goesOn(group))) {
                settlements[message.place()] = NOT_RUN_ALONE;
                message.delivery().countAttempt();
                continue;
            }
            run(message, settlements);
            message.delivery().countAttempt(); // the delay is drawn already
            early.settle(List.of(message), settlements);
        }
    }

    private void run(ConvertedMessage<T> message, @Nullable Settlement[] settlements) {
        settlements[message.place()] = admission.notToRun(message.delivery(), time.nanos());
        if (settlements[message.place()] == null) {
            List<ConvertedMessage<T>> one = List.of(message);
            HandlerResult result = handler.call(one, group -> !early.goesOn(group));
            if (result.started()) {
                outcomes.decide(one, result, settlements, time.nanos());
            } else {
                admission.notStarted(one, settlements);
            }
        }
    }
}
