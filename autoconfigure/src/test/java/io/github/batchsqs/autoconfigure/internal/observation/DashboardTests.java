/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.autoconfigure.testkit.OrdersHandler;
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
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The dashboard and the alerts ask for meters that there are. {@code .ci/alerts} tests what the alerts say. */
class DashboardTests {

    private static final Pattern METER = Pattern.compile("batchsqs_[a-z0-9_]+");

    /** Those of the modules s3 and jdbc have tests there. */
    private static final Pattern OF_OTHERS = Pattern.compile("batchsqs_(s3|inbox|outbox)_");

    private final JsonNode dashboard = read();

    @Test
    void everyMeterOfTheDashboardIsInThePrometheusRegistry() {
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Contexts.embedded()
                .withBean(OrdersHandler.class)
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
                    assertThat(meters(alerts())).hasSizeGreaterThan(10).isSubsetOf(scraped(registry));
                });
    }

    @Test
    void thereAreVariablesForTheDatasourceTheClientAndTheListener() {
        assertThat(dashboard.get("schemaVersion").asInt()).isGreaterThanOrEqualTo(39);
        assertThat(dashboard
                        .get("templating")
                        .get("list")
                        .valueStream()
                        .map(variable -> variable.get("name").asString()))
                .containsSubsequence("datasource", "client", "listener");
        assertThat(panels())
                .allSatisfy(
                        panel -> assertThat(panel.get("datasource").get("uid").asString())
                                .isEqualTo("${datasource}"));
    }

    @Test
    void everyMeterIsThatOfTheChosenClients() {
        assertThat(expressions().stream()
                        .filter(expression -> !OF_OTHERS.matcher(expression).find()))
                .hasSizeGreaterThan(30)
                .allSatisfy(expression -> {
                    long meters = METER.matcher(expression).results().count();
                    assertThat(expression.split(Pattern.quote("client=~\"$client\""), -1))
                            .hasSize((int) meters + 1);
                });
    }

    /** Only CloudWatch knows the length of a queue, and a dashboard without it must not show errors. */
    @Test
    void theQueueDepthIsInARowThatAsksCloudWatchWhenItIsOpened() {
        JsonNode row = dashboard
                .get("panels")
                .valueStream()
                .filter(panel -> panel.get("title").asString().startsWith("Queue depth"))
                .findFirst()
                .orElseThrow();
        assertThat(row.get("collapsed").asBoolean()).isTrue();
        assertThat(row.get("panels").valueStream())
                .hasSize(2)
                .allSatisfy(
                        panel -> assertThat(panel.get("datasource").get("uid").asString())
                                .isEqualTo("${cloudwatch}"));
    }

    @Test
    void noTwoPanelsOfTheDashboardOverlap() {
        assertThat(dashboard
                        .get("panels")
                        .valueStream()
                        .map(panel -> panel.get("gridPos"))
                        .map(at -> at.get("x") + "/" + at.get("y")))
                .doesNotHaveDuplicates();
        assertThat(dashboard.get("panels").valueStream().map(panel -> panel.get("id")))
                .doesNotHaveDuplicates();
    }

    private Set<String> asked() {
        var names = new TreeSet<String>();
        panels().forEach(panel -> panel.get("targets")
                .forEach(target -> names.addAll(meters(target.get("expr").asString()))));
        return names;
    }

    private List<String> expressions() {
        return panels().stream()
                .flatMap(panel -> panel.get("targets").valueStream())
                .map(target -> target.get("expr").asString())
                .toList();
    }

    private static Set<String> meters(String expressions) {
        var names = new TreeSet<String>();
        METER.matcher(expressions)
                .results()
                .map(MatchResult::group)
                .filter(name -> !OF_OTHERS.matcher(name).find())
                .forEach(names::add);
        return names;
    }

    private static String alerts() {
        return text("../docs/grafana/alerts.yml");
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
        return JsonMapper.shared().readTree(text("../docs/grafana/batchsqs.json"));
    }

    private static String text(String path) {
        try {
            return Files.readString(Path.of(path));
        } catch (IOException missing) {
            throw new IllegalStateException(missing);
        }
    }
}
