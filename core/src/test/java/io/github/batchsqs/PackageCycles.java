/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The packages of a module that import one another in a circle, read from its sources. */
final class PackageCycles {

    private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);
    private static final Pattern IMPORT =
            Pattern.compile("^import (?:static )?([a-z][a-z0-9.]*)\\.[A-Z]", Pattern.MULTILINE);

    private PackageCycles() {}

    /** Returns each import, as {@code from -> to}, that is part of a circle. */
    static Set<String> in(Path module) {
        Map<String, Set<String>> imports = new TreeMap<>();
        try (Stream<Path> files = Files.walk(module.resolve("src/main/java"))) {
            files.filter(file -> file.toString().endsWith(".java")).forEach(file -> read(file, imports));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Set<String> circles = new TreeSet<>();
        imports.forEach((from, targets) -> targets.stream()
                .filter(to -> !to.equals(from) && reachable(to, imports).contains(from))
                .forEach(to -> circles.add(from + " -> " + to)));
        return circles;
    }

    private static void read(Path file, Map<String, Set<String>> imports) {
        String source;
        try {
            source = Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
