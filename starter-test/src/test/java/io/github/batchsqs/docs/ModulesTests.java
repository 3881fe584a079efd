/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each module that a release publishes is known wherever its users look for it. The list is that of the root's pom. */
class ModulesTests {

    private static final Pattern MODULE = Pattern.compile("<module>([a-z0-9-]+)</module>");
    private static final Pattern ARTIFACT = Pattern.compile("\n  <artifactId>([a-z0-9-]+)</artifactId>");

    @ParameterizedTest
    @MethodSource("published")
    void theBomAndThePagesOfReleasesAndCompatibilityNameEachPublishedArtifact(String artifact) {
        assertThat(text("bom/pom.xml")).contains("<artifactId>" + artifact + "</artifactId>");
        assertThat(text("RELEASING.md")).contains("`" + artifact + "`");
        assertThat(text("docs/compatibility.md")).contains("`" + artifact + "`");
    }

    static List<String> published() {
        return MODULE.matcher(text("pom.xml"))
                .results()
                .map(found -> text(found.group(1) + "/pom.xml"))
                .filter(pom -> !pom.contains("<maven.deploy.skip>true<"))
                .map(ModulesTests::artifact)
                .toList();
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
