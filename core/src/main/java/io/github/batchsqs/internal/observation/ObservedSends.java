/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.observation;

import io.github.batchsqs.internal.send.SendObserver;
import io.github.batchsqs.observation.SendContext;
import io.github.batchsqs.observation.SendConvention;
import io.github.batchsqs.send.OutgoingMessage;
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
record ObservedSends(String client, SendConvention convention, ObservationGuard guard) implements SendObserver {

    @Override
    public Sending started(OutgoingMessage message, String queue) {
        SendContext context = new SendContext(message, client, queue);
        Observation observation = guard.start(convention, SendConvention.STANDARD, () -> context);
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
                boolean ignored = guard.run(() -> observation.error(failure));
            }
            boolean ignored = guard.run(observation::stop);
        }
    }
}
