/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs;

import static org.assertj.core.api.Assertions.contentOf;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The packages of a module that import one another in a circle, read from its sources. */
final class PackageCycles {

    private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);
    private static final Pattern IMPORT =
            Pattern.compile("^import (?:static )?([a-z][a-z0-9.]*)\\.[A-Z]", Pattern.MULTILINE);

    private PackageCycles() {}

    /** Returns each import, as {@code from -> to}, that is part of a circle. */
    static Set<String> in(Path module) {
        Map<String, Set<String>> imports = new TreeMap<>();
        TestSources.files(module.resolve("src/main/java"), ".java").forEach(file -> read(file, imports));
        Set<String> circles = new TreeSet<>();
        imports.forEach((from, targets) -> targets.stream()
                .filter(to -> !to.equals(from) && reachable(to, imports).contains(from))
                .forEach(to -> circles.add(from + " -> " + to)));
        return circles;
    }

    private static void read(Path file, Map<String, Set<String>> imports) {
        String source = contentOf(file.toFile());
        Matcher own = PACKAGE.matcher(source);
        if (own.find()) {
            Set<String> targets = imports.computeIfAbsent(own.group(1), name -> new TreeSet<>());
            IMPORT.matcher(source).results().map(found -> found.group(1)).forEach(targets::add);
        }
    }

    private static Set<String> reachable(String start, Map<String, Set<String>> imports) {
        Set<String> seen = new HashSet<>();
        ArrayDeque<String> next = new ArrayDeque<>(Set.of(start));
        while (!next.isEmpty()) {
            String each = next.pop();
            if (seen.add(each)) {
                next.addAll(imports.getOrDefault(each, Set.of()));
            }
        }
        return seen;
    }
}
