/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The meters that the dashboard and the alerts ask for, by the names that Prometheus gives them. */
public final class Dashboard {

    private Dashboard() {}

    /** Returns the names that begin so. */
    public static Set<String> asked(String prefix) throws IOException {
        Set<String> asked = new TreeSet<>();
        for (String file : new String[] {"batchsqs.json", "alerts.yml"}) {
            Pattern.compile(prefix + "_[a-z_]+")
                    .matcher(Files.readString(Path.of("../docs/grafana", file)))
                    .results()
                    .map(MatchResult::group)
                    .forEach(asked::add);
        }
        return asked;
    }

    /** Returns the names of the meters that there are. */
    public static Set<String> registered(MeterRegistry registry) {
        return registry.getMeters().stream()
                .map(Meter::getId)
                .map(id -> id.getName().replace('.', '_')
                        + (id.getBaseUnit() == null ? "" : "_" + id.getBaseUnit())
                        + (id.getType() == Meter.Type.COUNTER ? "_total" : ""))
                .collect(Collectors.toSet());
    }
}
