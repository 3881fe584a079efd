/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.testkit.Dashboard;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page names every meter with its type and tags, the other page of meters names it too, and the dashboard shows it. */
class S3PageTests {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void thePagesNameEveryMeter() throws IOException {
        var meters = new S3Meters(registry);
        meters.uploaded("orders");
        meters.fetched("orders");
        meters.deleted("orders", 1);
        meters.failed(S3Meters.FETCH, "orders", S3Errors.NO_RESPONSE, 1);
        meters.memory(() -> 1);
        List<String> registered = registry.getMeters().stream()
                .map(Meter::getId)
                .map(id -> id.getName() + " " + id.getType().name().toLowerCase(Locale.ROOT) + " "
                        + id.getTags().stream().map(Tag::getKey).sorted().collect(Collectors.joining(", ")))
                .toList();

        assertThat(rows()).containsExactlyInAnyOrderElementsOf(registered);
        assertThat(Path.of("../docs/meters.md"))
                .content()
                .contains(registered.stream()
                        .map(row -> row.replaceFirst(" .*", ""))
                        .toList());
        assertThat(Dashboard.asked("batchsqs_s3")).containsExactlyInAnyOrderElementsOf(Dashboard.registered(registry));
    }

    /** The first three columns of the table of meters. */
    private static List<String> rows() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("../docs/s3.md"))) {
            return lines.filter(line -> line.startsWith("| `batchsqs.s3."))
                    .map(line -> line.replace("`", "").split("\\|"))
                    .map(cells -> cells[1].strip() + " " + cells[2].strip() + " " + cells[3].strip())
                    .toList();
        }
    }
}
