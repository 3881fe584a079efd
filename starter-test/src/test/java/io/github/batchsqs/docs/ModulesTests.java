/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each module that a release publishes is known wherever its users look for it. The list is that of the root's pom. */
class ModulesTests {

    private static final Pattern MODULE = Pattern.compile("<module>([a-z0-9-]+)</module>");
    private static final Pattern METER = Pattern.compile("\"(batchsqs\\.\\w+\\.)");
    private static final Pattern SERVICE = Pattern.compile("import software\\.amazon\\.awssdk\\.services\\.(\\w+)");
    private static final Pattern TABLE = Pattern.compile("CREATE TABLE IF NOT EXISTS (\\w+)");
    private static final Pattern ARTIFACT = Pattern.compile("\n  <artifactId>([a-z0-9-]+)</artifactId>");

    @ParameterizedTest
    @MethodSource("published")
    void theBomTheReadmeAndThePagesOfReleasesAndCompatibilityNameEachPublishedArtifact(String module) {
        String artifact = artifact(text(module + "/pom.xml"));
        assertThat(text("bom/pom.xml")).contains("<artifactId>" + artifact + "</artifactId>");
        assertThat(text("README.md")).contains("`" + artifact + "`");
        assertThat(text("RELEASING.md")).contains("`" + artifact + "`");
        assertThat(text("docs/compatibility.md")).contains("`" + artifact + "`");
    }

    @ParameterizedTest
    @MethodSource("published")
    void eachPublishedJarHasAModuleName(String module) {
        assertThat(text(module + "/pom.xml")).containsAnyOf("<module.name>io.github.batchsqs.", "<packaging>pom<");
    }

    @ParameterizedTest
    @MethodSource("published")
    void theDashboardTheAlertsAndThePageOfIamHaveTheMetersServicesAndTablesOfEachPublishedModule(String module) {
        assertThat(found(module, METER, "io.micrometer.core.instrument"))
                .allSatisfy(meters -> assertThat(
                                List.of(text("docs/grafana/batchsqs.json"), text("docs/grafana/alerts.yml")))
                        .allMatch(asking -> asking.contains(meters.replace('.', '_'))));
        assertThat(found(module, SERVICE, ""))
                .allSatisfy(service -> assertThat(text("docs/iam.md")).contains(service + ":"));
        assertThat(found(module, TABLE, ""))
                .allSatisfy(table -> assertThat(text("docs/iam.md")).contains("`" + table + "`"));
    }

    /** Returns what the pattern finds in the main files of a module that contain this text. */
    private static List<String> found(String module, Pattern pattern, String text) {
        return Page.files(Page.ROOT.resolve(module).resolve("src/main"), "")
                .map(Page::text)
                .filter(file -> file.contains(text))
                .flatMap(file -> pattern.matcher(file).results())
                .map(found -> found.group(1))
                .distinct()
                .toList();
    }

    /** Returns the folders of the modules that a release publishes. */
    static List<String> published() {
        return all().filter(module -> !text(module + "/pom.xml").contains("<maven.deploy.skip>true<"))
                .toList();
    }

    /** Returns the folders of all modules. */
    static Stream<String> all() {
        return MODULE.matcher(text("pom.xml")).results().map(found -> found.group(1));
    }

    private static String artifact(String pom) {
        Matcher own = ARTIFACT.matcher(pom.replaceAll("(?s)<parent>.*</parent>", ""));
        assertThat(own.find()).isTrue();
        return own.group(1);
    }

    private static String text(String file) {
        return Page.text(Page.ROOT.resolve(file));
    }
}
