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
    private static final Pattern ARTIFACT = Pattern.compile("\n  <artifactId>([a-z0-9-]+)</artifactId>");

    @ParameterizedTest
    @MethodSource("published")
    void theBomAndThePagesOfReleasesAndCompatibilityNameEachPublishedArtifact(String module) {
        String artifact = artifact(text(module + "/pom.xml"));
        assertThat(text("bom/pom.xml")).contains("<artifactId>" + artifact + "</artifactId>");
        assertThat(text("RELEASING.md")).contains("`" + artifact + "`");
        assertThat(text("docs/compatibility.md")).contains("`" + artifact + "`");
    }

    @ParameterizedTest
    @MethodSource("published")
    void eachPublishedJarHasAModuleName(String module) {
        assertThat(text(module + "/pom.xml")).containsAnyOf("<module.name>io.github.batchsqs.", "<packaging>pom<");
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
