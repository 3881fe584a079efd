/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.endpoint;

import io.github.batchsqs.Check;
import io.github.batchsqs.autoconfigure.listener.ListenerSettingsReport;
import io.github.batchsqs.autoconfigure.listener.ListenerSettingsReport.Setting;
import io.github.batchsqs.receive.ContainerState;
import io.github.batchsqs.receive.ContainerStatus;
import io.github.batchsqs.receive.ListenerContainer;
import io.github.batchsqs.receive.fetch.ReceiveFailure;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the endpoint says of a listener. */
public record ListenerReport(
        String id,
        String queue,
        ContainerState state,
        Counts counts,
        @Nullable ReceiveFailure receiveFailure,
        String receiveFailingFor,
        String longestInvocation,
        Map<String, Setting> settings) {

    /** How much there is of what, at this moment. */
    public record Counts(
            int inFlight, int permits, int inFlightLimit, int handoffSize, int pollers, int activeInvocations) {}

    static ListenerReport of(ListenerContainer container, ListenerSettingsReport settings) {
        ContainerStatus status = container.status();
        return new ListenerReport(
                container.options().id(),
                container.options().queue(),
                status.state(),
                new Counts(
                        status.inFlight(),
                        status.permits(),
                        status.inFlightLimit(),
                        status.handoffSize(),
                        status.pollers(),
                        status.activeInvocations()),
                status.receiveFailure(),
                Check.text(status.receiveFailingFor().truncatedTo(ChronoUnit.MILLIS)),
                Check.text(status.longestInvocation().truncatedTo(ChronoUnit.MILLIS)),
                settings.of(container));
    }
}
