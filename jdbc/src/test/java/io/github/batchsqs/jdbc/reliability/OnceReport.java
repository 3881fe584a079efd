/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.reliability;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The rows of the table of docs/inbox.md, in a file that {@code .ci/reliability/run} shows. */
final class OnceReport {

    private static final Path FILE = Path.of("target", "reliability.md");

    private OnceReport() {}

    static void add(String row) throws IOException {
        String line = row + "\n";
        System.out.print("reliability: " + line);
        Path unused = Files.createDirectories(FILE.getParent());
        unused = Files.writeString(FILE, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
