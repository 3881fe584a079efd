/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.observation;

import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.send.SendObserver;
import io.github.batchsqs.send.SendResult;
import io.micrometer.observation.Observation;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Creates one observation per message, a child of the sender thread's current observation. */
final class ObservedSends implements SendObserver {

    private final Observations observations;

    ObservedSends(Observations observations) {
        this.observations = observations;
    }

    @Override
    public Sending started(OutgoingMessage message, String queue) {
        SendContext context = new SendContext(message, queue);
        return new Observed(context, Observation.start(observations.send(), () -> context, observations.registry()));
    }

    private record Observed(SendContext context, Observation observation) implements Sending {

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
                observation.error(failure);
            }
            observation.stop();
        }
    }
}
