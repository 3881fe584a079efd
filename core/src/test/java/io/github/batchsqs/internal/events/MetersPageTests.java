/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ContainerStatus;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of the meters is complete and names none that is not there. */
class MetersPageTests {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void thePageNamesEveryMeterWithItsTypeAndTags() throws IOException {
        var listener = new MicrometerListenerEvents(registry, "intake", "orders", "default");
        listener.gauges(() -> ContainerStatus.idle(ContainerState.STOPPED, null));
        listener.on(new ListenerEvent.ApiCall("ReceiveMessage", 10, Duration.ofMillis(3), null));
        new MicrometerSenderEvents(registry, "orders", "default").on(new SenderEvent.Refused("TooLarge"));

        assertThat(page()).containsExactlyInAnyOrderElementsOf(registered());
    }

    /** The first three columns of the tables, with the tags that all meters of their table have. */
    private static List<String> page() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("../docs/meters.md"))) {
            return lines.filter(line -> line.startsWith("| `"))
                    .map(line -> line.replace("`", "").split("\\|"))
                    .map(cells -> cells[1].strip() + " " + cells[2].strip() + " " + tags(cells[1].strip(), cells[3]))
                    .toList();
        }
    }

    private static String tags(String meter, String more) {
        String all = meter.startsWith("batchsqs.listener.")
                ? "client, listener, queue"
                : meter.startsWith("batchsqs.sender.") ? "client, queue" : "client";
        return Stream.of((all + ", " + more.strip()).split(", ")).sorted().collect(Collectors.joining(", "));
    }

    private List<String> registered() {
        return registry.getMeters().stream()
                .map(Meter::getId)
                .map(id -> id.getName() + " " + type(id) + " "
                        + id.getTags().stream().map(Tag::getKey).sorted().collect(Collectors.joining(", ")))
                .distinct()
                .toList();
    }

    private static String type(Meter.Id id) {
        String type = id.getType().name().toLowerCase(Locale.ROOT);
        return type.equals("distribution_summary") ? "summary" : type;
    }
}
