/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.settings;

import io.github.batchsqs.Check;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * When a listener is reported as down.
 *
 * @param receiveFailingFor How long every receive of a listener must have failed before it is down. Below 30s, the pause
 *     after a failure may count as one.
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
