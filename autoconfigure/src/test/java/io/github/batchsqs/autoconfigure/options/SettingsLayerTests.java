/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.options;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.batchsqs.autoconfigure.settings.ListenerSettings;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class SettingsLayerTests {

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger log = new LoggerContext().getLogger("settings");

    SettingsLayerTests() {
        lines.start();
        log.addAppender(lines);
    }

    @Test
    void formerKeysAreLoggedWithTheKeysThatReplaceThem() {
        var properties = Map.of("pollers.pace", "30ms", "failure.isolate", "true", "batch-size", "5");
        var settings =
                new Binder(new MapConfigurationPropertySource(properties)).bindOrCreate("", ListenerSettings.class);

        SettingsLayer.ofListener("orders", settings).warnOfFormerKeys(log);

        assertThat(lines.list)
                .extracting(ILoggingEvent::toString)
                .containsExactly(
                        "[WARN] batchsqs.listeners.orders.pollers.pace is deprecated; replace it by"
                                + " batchsqs.listeners.orders.pollers.min-interval",
                        "[WARN] batchsqs.listeners.orders.failure.isolate is deprecated; replace it by"
                                + " batchsqs.listeners.orders.failure.retry-individually");
    }
}
