/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.endpoint;

import io.github.batchsqs.autoconfigure.internal.options.ListenerSettingsReport;
import io.github.batchsqs.autoconfigure.internal.options.ListenerSettingsReport.Setting;
import io.github.batchsqs.internal.support.UserInformation;
import io.github.batchsqs.internal.support.Words;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ContainerStatus;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ReceiveFailure;
import io.github.batchsqs.listener.ReceiveWait;
import io.github.batchsqs.receive.ListenerContainer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The response of the endpoint for one listener. */
public record ListenerReport(
        String id,
        String queue,
        String client,
        ContainerState state,
        Concurrency concurrency,
        Counts counts,
        @Nullable ReceiveFailure receiveFailure,
        String receiveFailingFor,
        String longestInvocation,
        String deletesFailingFor,
        @Nullable Wait waitsFor,
        @Nullable String problem,
        Map<String, Setting> settings) {

    /**
     * The invocations that may run at once.
     *
     * @param limit how many; 0 while the listener does not run
     * @param automatic whether the number follows the latency of the handler
     */
    public record Concurrency(int limit, boolean automatic) {}

    /** The current counts of a listener. */
    public record Counts(
            int inFlight,
            long inFlightBytes,
            int permits,
            int inFlightLimit,
            int handoffSize,
            int pollers,
            int blockedPollers,
            int activeInvocations) {}

    /** Why a listener receives nothing. */
    public record Wait(String reason, String detail, String waitingFor, String endsIn, String failingFor) {

        static @Nullable Wait of(@Nullable ReceiveWait wait) {
            return wait == null
                    ? null
                    : new Wait(
                            wait.reason(),
                            wait.detail(),
                            Words.measured(wait.waitingFor()),
                            Words.measured(wait.endsIn()),
                            Words.measured(wait.failingFor()));
        }
    }

    static ListenerReport of(ListenerContainer container, ListenerSettingsReport settings) {
        ContainerStatus status = container.status();
        return new ListenerReport(
                container.options().id(),
                UserInformation.mask(container.options().queue()),
                container.options().client(),
                status.state(),
                new Concurrency(
                        status.concurrency(), container.options().concurrency() == ListenerOptions.AUTO_CONCURRENCY),
                new Counts(
                        status.inFlight(),
                        status.inFlightBytes(),
                        status.permits(),
                        status.inFlightLimit(),
                        status.handoffSize(),
                        status.pollers(),
                        status.blockedPollers(),
                        status.activeInvocations()),
                status.receiveFailure(),
                Words.measured(status.receiveFailingFor()),
                Words.measured(status.longestInvocation()),
                Words.measured(status.deletesFailingFor()),
                Wait.of(status.receiveWait()),
                status.problem(),
                settings.of(container));
    }
}
