/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.docs.Page.Fence;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import tools.jackson.databind.json.JsonMapper;

/** Dependencies on the pages are artifacts or dependencies of this build, in the same version. */
class DependencySnippetsTests {

    private static final Map<String, String> MODULES = Map.of(
            "batchsqs-core", "core",
            "batchsqs-spring-boot-autoconfigure", "autoconfigure",
            "batchsqs-spring-boot-s3", "s3",
            "batchsqs-spring-boot-jdbc", "jdbc",
            "batchsqs-spring-boot-starter", "starter",
            "batchsqs-spring-boot-starter-test", "starter-test",
            "batchsqs-spring-boot-kotlin", "kotlin");

    private static final Pattern COORDINATES = Pattern.compile("\"([\\w.]+):([\\w.-]+):([^\"]+)\"");

    /** Properties of the build with the versions of artifacts that are not its own. */
    private static final Map<String, String> VERSIONS = Map.of(
            "elasticmq-rest-sqs_2.13", "elasticmq.version",
            "spring-cloud-aws-dependencies", "spring-cloud-aws.version");

    /** What a page names in a block for Maven or for Gradle. */
    private record Dependency(String group, String artifact, String version) {}

    static List<Fence> xml() {
        return Page.fences("xml");
    }

    /** Blocks for Gradle; other blocks of Kotlin are in a file that is compiled. */
    static List<Fence> kotlin() {
        return Page.fences("kotlin").stream()
                .filter(fence -> !fence.file().endsWith(".kt"))
                .toList();
    }

    static List<Fence> json() {
        return Page.fences("json");
    }

    static List<Page> pages() {
        return Page.all().stream()
                .filter(page -> page.fences().stream()
                        .anyMatch(fence -> fence.language().equals("xml")))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("xml")
    void everyDependencyForMavenExists(Fence fence) throws Exception {
        allExist(ofMaven(fence));
    }

    @ParameterizedTest
    @MethodSource("kotlin")
    void everyDependencyForGradleExists(Fence fence) throws Exception {
        allExist(ofGradle(fence));
        Element parent = parse(Files.readString(Page.ROOT.resolve("pom.xml")));
        assertThat(fence.text().lines().filter(line -> line.contains("id(\"org.springframework.boot\")")))
                .allSatisfy(line -> assertThat(line).contains("\"" + text(parent, "spring-boot.version") + "\""));
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyPageNamesTheSameForMavenAndForGradle(Page page) throws Exception {
        Set<Dependency> maven = new HashSet<>();
        Set<Dependency> gradle = new HashSet<>();
        for (Fence fence : page.fences()) {
            switch (fence.language()) {
                case "xml" -> maven.addAll(ofMaven(fence));
                case "kotlin" -> gradle.addAll(ofGradle(fence));
                default -> {}
            }
        }
        assertThat(gradle).isEqualTo(maven);
    }

    private static void allExist(List<Dependency> dependencies) throws Exception {
        assertThat(dependencies).isNotEmpty();
        for (Dependency dependency : dependencies) {
            exists(dependency);
        }
    }

    private static void exists(Dependency dependency) throws Exception {
        Element parent = parse(Files.readString(Page.ROOT.resolve("pom.xml")));
        if (dependency.group().equals("io.github.batchsqs")) {
            assertThat(MODULES).containsKey(dependency.artifact());
            assertThat(Files.readString(Page.ROOT
                            .resolve(Objects.requireNonNull(MODULES.get(dependency.artifact())))
                            .resolve("pom.xml")))
                    .contains("<artifactId>" + dependency.artifact() + "</artifactId>");
            assertThat(dependency.version()).isEqualTo(text(parent, "version"));
        } else {
            assertThat(VERSIONS).containsKey(dependency.artifact());
            assertThat(dependency.version())
                    .isEqualTo(text(parent, Objects.requireNonNull(VERSIONS.get(dependency.artifact()))));
        }
    }

    private static List<Dependency> ofMaven(Fence fence) throws Exception {
        List<Dependency> dependencies = new ArrayList<>();
        for (Element element : elements(parse("<page>" + fence.text() + "</page>"), "dependency")) {
            dependencies.add(
                    new Dependency(text(element, "groupId"), text(element, "artifactId"), text(element, "version")));
        }
        return dependencies;
    }

    private static List<Dependency> ofGradle(Fence fence) {
        return COORDINATES
                .matcher(fence.text())
                .results()
                .map(found -> new Dependency(found.group(1), found.group(2), found.group(3)))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("json")
    void jsonIsWellFormed(Fence fence) {
        String text = fence.text().startsWith("\"") ? "{" + fence.text() + "}" : fence.text();
        assertThat(JsonMapper.shared().readTree(text).isObject()).isTrue();
    }

    private static Element parse(String xml) throws Exception {
        var factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        return factory.newDocumentBuilder()
                .parse(new InputSource(new StringReader(xml)))
                .getDocumentElement();
    }

    private static List<Element> elements(Element root, String name) {
        NodeList found = root.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            elements.add((Element) found.item(i));
        }
        return elements;
    }

    private static String text(Element root, String name) throws IOException {
        List<Element> found = elements(root, name);
        if (found.isEmpty()) {
            throw new IOException("There is no <" + name + ">");
        }
        return found.getFirst().getTextContent().strip();
    }
}
