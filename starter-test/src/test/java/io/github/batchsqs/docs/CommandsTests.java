/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Scripts, modules, profiles and test classes in the commands on the pages exist. */
class CommandsTests {

    /** Languages that the other tests of this package read, or that need no check. */
    private static final Set<String> LANGUAGES = Set.of(
            "java", "kotlin", "yaml", "properties", "xml", "json", "bash", "hcl", "typescript", "promql", "text", "");

    private static final Pattern SCRIPT = Pattern.compile("(?:^|\\s)((?:\\./mvnw|\\.ci/|benchmarks/run)[\\w./-]*)");
    private static final Pattern MODULES = Pattern.compile("\\s-pl[ =](\\S+)");
    private static final Pattern PROFILES = Pattern.compile("\\s-P(\\S+)");
    private static final Pattern TESTS = Pattern.compile("-Dtest=(\\S+)");

    private static final Set<String> TEST_CLASSES = ProseTests.tests().keySet();

    static List<String> commands() {
        Stream<String> fenced =
                Page.fences("bash", "").stream().flatMap(fence -> fence.text().lines());
        Stream<String> inText = Page.all().stream().flatMap(page -> page.codes().stream());
        return Stream.concat(fenced, inText)
                .filter(line -> SCRIPT.matcher(line).find())
                .distinct()
                .toList();
    }

    @Test
    void everyBlockIsInALanguageThatIsChecked() {
        assertThat(Page.all().stream().flatMap(page -> page.fences().stream()).toList())
                .hasSizeGreaterThan(40)
                .allSatisfy(fence -> assertThat(LANGUAGES).contains(fence.language()));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyNameInACommandExists(String command) throws IOException {
        assertThat(named(SCRIPT, command))
                .allSatisfy(script -> assertThat(Page.ROOT.resolve(script)).exists());
        assertThat(named(SCRIPT, command))
                .filteredOn(script -> script.matches("(.*/)?(run|mvnw)"))
                .allSatisfy(script ->
                        assertThat(Page.ROOT.resolve(script)).isRegularFile().isExecutable());
        assertThat(named(MODULES, command))
                .allSatisfy(module ->
                        assertThat(Page.ROOT.resolve(module).resolve("pom.xml")).exists());
        String pom = Files.readString(Page.ROOT.resolve("pom.xml"));
        assertThat(named(PROFILES, command))
                .allSatisfy(profile -> assertThat(pom).contains("<id>" + profile + "</id>"));
        assertThat(named(TESTS, command))
                .allSatisfy(test -> assertThat(TEST_CLASSES)
                        .anyMatch(name ->
                                name.matches(test.replaceFirst("#.*", "").replace("*", ".*"))));
    }

    private static List<String> named(Pattern pattern, String command) {
        return pattern.matcher(command)
                .results()
                .map(result -> result.group(1))
                .flatMap(list -> Arrays.stream(list.split(",")))
                .map(name -> name.replaceAll("['\"]", ""))
                .toList();
    }
}
