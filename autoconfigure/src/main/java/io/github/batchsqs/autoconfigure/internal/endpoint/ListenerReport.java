/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.endpoint;

import io.github.batchsqs.autoconfigure.internal.options.ListenerSettingsReport;
import io.github.batchsqs.autoconfigure.internal.options.ListenerSettingsReport.Setting;
import io.github.batchsqs.internal.support.UserInformation;
import io.github.batchsqs.listener.ContainerStatus;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.receive.ListenerContainer;
import java.util.Map;

/** The response of the endpoint for one listener. */
public record ListenerReport(
        String id, String queue, String client, ContainerStatus status, Map<String, Setting> settings) {

    static ListenerReport of(ListenerContainer container, ListenerSettingsReport settings) {
        ContainerStatus status = container.status();
        ListenerOptions options = container.options();
        return new ListenerReport(
                options.id(), UserInformation.mask(options.queue()), options.client(), status, settings.of(container));
    }
}
