/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.settings;

import io.github.batchsqs.internal.support.Check;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Conditions under which a listener is reported as down.
 *
 * @param receiveFailingFor How long all receives of a listener, or one of its gates, must have failed before the listener
 *     is reported as down. Values below 30s may count the delay after a single failure.
 */
public record HealthSettings(@DefaultValue("1m") Duration receiveFailingFor) {
    public HealthSettings {
        Check.that(
                receiveFailingFor.isPositive(),
                "batchsqs.health.receive-failing-for",
                "must be positive",
                Check.text(receiveFailingFor),
                "set a value such as 1m");
    }
}
