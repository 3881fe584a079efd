/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.docs.Page.Fence;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
            "batchsqs-spring-boot-starter", "starter",
            "batchsqs-spring-boot-starter-test", "starter-test");

    static List<Fence> xml() {
        return Page.fences("xml");
    }

    static List<Fence> json() {
        return Page.fences("json");
    }

    @ParameterizedTest
    @MethodSource("xml")
    void everyDependencyExists(Fence fence) throws Exception {
        Element parent = parse(Files.readString(Page.ROOT.resolve("pom.xml")));
        List<Element> dependencies = elements(parse("<page>" + fence.text() + "</page>"), "dependency");
        assertThat(dependencies).isNotEmpty();
        for (Element dependency : dependencies) {
            String artifact = text(dependency, "artifactId");
            String version = text(dependency, "version");
            if (text(dependency, "groupId").equals("io.github.batchsqs")) {
                assertThat(MODULES).containsKey(artifact);
                assertThat(Files.readString(
                                Page.ROOT.resolve(MODULES.get(artifact)).resolve("pom.xml")))
                        .contains("<artifactId>" + artifact + "</artifactId>");
                assertThat(version).isIn(text(parent, "version"), "${batchsqs.version}");
            } else {
                assertThat(artifact).isEqualTo("elasticmq-rest-sqs_2.13");
                assertThat(version).isEqualTo(text(parent, "elasticmq.version"));
            }
        }
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
