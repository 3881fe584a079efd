/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.observation;

import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.send.SendObserver;
import io.github.batchsqs.send.SendResult;
import io.micrometer.observation.Observation;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Creates one observation per message, a child of the sender thread's current observation.
 *
 * <p>If a handler of observations throws, the message is sent all the same, without an observation if that could not begin.
 * The first such failure of a minute is logged.
 */
final class ObservedSends implements SendObserver {

    private final String client;
    private final Observations observations;
    private final ObservationGuard guard = new ObservationGuard("Sender: the observation of a message");

    ObservedSends(String client, Observations observations) {
        this.client = client;
        this.observations = observations;
    }

    @Override
    public Sending started(OutgoingMessage message, String queue) {
        SendContext context = new SendContext(message, client, queue);
        Observation observation =
                guard.start(() -> observations.notStarted(observations.send(), SendConvention.STANDARD, () -> context));
        return observation.isNoop() ? Sending.UNOBSERVED : new Observed(context, observation, guard);
    }

    private record Observed(SendContext context, Observation observation, ObservationGuard guard) implements Sending {

        @Override
        public Map<String, String> headers() {
            return context.headers();
        }

        @Override
        public void ended(@Nullable SendResult result, @Nullable Throwable failure) {
            if (result != null) {
                context.sent(result.messageId());
            }
            if (failure != null) {
                guard.run(() -> observation.error(failure));
            }
            guard.run(observation::stop);
        }
    }
}
