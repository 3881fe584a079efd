/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.testkit.Progress;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The dashboard asks for meters that there are. */
class DashboardTests {

    private static final Pattern METER = Pattern.compile("batchsqs_[a-z_]+");

    private final JsonNode dashboard = read();

    @Test
    void everyMeterOfTheDashboardIsInThePrometheusRegistry() {
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Contexts.embedded()
                .withBean(Handler.class)
                .withBean(MeterRegistry.class, () -> registry)
                .withPropertyValues("batchsqs.embedded.queues=orders", "batchsqs.listener.wait-time=1s")
                .run(context -> {
                    var template = context.getBean(BatchSqsOperations.class);
                    assertThat(template.sendAll("orders", List.of("a", "b")).successful())
                            .hasSize(2);
                    Assertions.assertThatExceptionOfType(SendFailedException.class)
                            .isThrownBy(() -> template.sendAndWait("orders", "x".repeat(2 << 20)));
                    Progress.until(() -> registry.get("batchsqs.listener.acknowledged")
                                    .counter()
                                    .count()
                            == 2);
                    assertThat(asked()).hasSizeGreaterThan(20).isSubsetOf(scraped(registry));
                });
    }

    @Test
    void thereIsAVariableForTheDatasourceAndForTheListener() {
        assertThat(dashboard.get("schemaVersion").asInt()).isGreaterThanOrEqualTo(39);
        assertThat(dashboard
                        .get("templating")
                        .get("list")
                        .valueStream()
                        .map(variable -> variable.get("name").asString()))
                .contains("datasource", "listener");
        assertThat(panels())
                .allSatisfy(
                        panel -> assertThat(panel.get("datasource").get("uid").asString())
                                .isEqualTo("${datasource}"));
    }

    private Set<String> asked() {
        var names = new TreeSet<String>();
        panels().forEach(panel -> panel.get("targets")
                .forEach(target -> METER.matcher(target.get("expr").asString())
                        .results()
                        .forEach(match -> names.add(match.group()))));
        return names;
    }

    private List<JsonNode> panels() {
        return dashboard
                .get("panels")
                .valueStream()
                .filter(panel -> panel.has("targets"))
                .toList();
    }

    private static List<String> scraped(PrometheusMeterRegistry registry) {
        return Stream.of(registry.scrape().split("\n"))
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("[{ ]", -1)[0])
                .toList();
    }

    private static JsonNode read() {
        try {
            return JsonMapper.shared().readTree(Files.readString(Path.of("../docs/grafana/batchsqs.json")));
        } catch (IOException missing) {
            throw new IllegalStateException(missing);
        }
    }

    static class Handler {
        @BatchSqsListener(queue = "orders")
        void handle(List<String> orders) {}
    }
}
