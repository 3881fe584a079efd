/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs;

import static org.assertj.core.api.Assertions.contentOf;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tests' own rules, read from the sources of the tests of all modules. */
final class TestSources {

    private static final Path PROJECT =
            Objects.requireNonNull(Path.of("").toAbsolutePath().getParent());

    /** What one test cannot change without others seeing it. */
    private static final Pattern OF_THE_WHOLE_JVM = Pattern.compile(String.join(
            "|",
            "\\bSystem\\.(set(Property|Properties|Out|Err|In|SecurityManager)|clearProperty|getProperties)\\(",
            "\\b(Locale|TimeZone|ProxySelector|Authenticator|CookieHandler|SSLContext|DateTimeZone)\\.setDefault\\(",
            "\\bsetDefault(UncaughtExceptionHandler|SSLSocketFactory|HostnameVerifier|AssertionStatus)\\(",
            "\\bsetURLStreamHandlerFactory\\(",
            "\\bSecurity\\.(setProperty|addProvider|insertProviderAt|removeProvider)\\(",
            "\\bRuntime\\.getRuntime\\(\\)\\.(addShutdownHook|halt|exit)\\(",
            "\\bsetMDCAdapter\\(",
            "\\.(setLevel|addAppender|detachAppender|addTurboFilter|setAdditive|detachAndStopAllAppenders)\\(",
            "\\bMetrics\\.(globalRegistry|addRegistry|removeRegistry)\\b",
            "\\bAwaitility\\.(set|reset)\\w*\\("));

    /** The test stands alone, or what it changes is not the JVM's: a logger context of its own. */
    private static final Pattern ISOLATED =
            Pattern.compile("@Isolated\\b|@ResourceLock\\b|@ResourceLocks\\b|\\bnew LoggerContext\\(");

    /** A wait that ends when a time is over, whatever moves. */
    private static final Pattern WAITS_FOR_A_TIME = Pattern.compile(String.join(
            "|",
            "\\bimport (static )?org\\.awaitility\\.",
            ",\\s*(TimeUnit\\.)?((NANO|MICRO|MILLI)?SECONDS|MINUTES|HOURS)\\s*\\)",
            "\\.(succeedsWithin|failsWithin)\\((?!Duration\\.ZERO)",
            "\\bassertTimeout(Preemptively)?\\(",
            "^@Timeout\\b|\\s@Timeout\\b",
            "\\.join\\(Duration\\b",
            "\\b(Thread|TimeUnit\\.[A-Z]+)\\.sleep\\("));

    private TestSources() {}

    /** Lines of classes, other than these, that change what is the whole JVM's without being isolated. */
    static List<String> changesOfTheJvm(Set<String> allowed) {
        return lines(OF_THE_WHOLE_JVM, allowed, ISOLATED);
    }

    /** Lines of classes, other than these, that wait for a time. */
    static List<String> waitsForATime(Set<String> allowed) {
        return lines(WAITS_FOR_A_TIME, allowed, null);
    }

    /** The text of the tests' sources of that name, by the name of their module. */
    static Map<String, String> named(String fileName) {
        Map<String, String> texts = new TreeMap<>();
        for (Path file : files()) {
            if (file.getFileName().toString().equals(fileName)) {
                texts.put(PROJECT.relativize(file).getName(0).toString(), contentOf(file.toFile()));
            }
        }
        return texts;
    }

    private static List<String> lines(Pattern forbidden, Set<String> allowed, @Nullable Pattern excuse) {
        List<String> found = new ArrayList<>();
        for (Path file : files()) {
            String name = file.getFileName().toString().replace(".java", "");
            String text = contentOf(file.toFile());
            if (allowed.contains(name)
                    || (excuse != null && excuse.matcher(text).find())) {
                continue;
            }
            var matcher = forbidden.matcher(text);
            while (matcher.find()) {
                long line = text.substring(0, matcher.start()).lines().count();
                found.add(PROJECT.relativize(file) + ":" + line + ": "
                        + matcher.group().strip());
            }
        }
        return found;
    }

    private static List<Path> files() {
        try (Stream<Path> modules = Files.list(PROJECT)) {
            return modules.flatMap(module ->
                            Stream.of(module.resolve("src/shared-test/java"), module.resolve("src/test/java")))
                    .filter(Files::isDirectory)
                    .sorted()
                    .flatMap(tests -> files(tests, ".java"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The files below a folder, sorted. */
    static Stream<Path> files(Path folder, String ending) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(ending)).sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
