/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.reliability;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What a process has begun, one line each: its process id and a text. A line is one write to a file that is open for appending, so it is there
 * whole, however the process ends.
 */
final class RunLedger {

    private final OutputStream out;

    RunLedger(Path file) throws IOException {
        this.out = new FileOutputStream(file.toFile(), true);
    }

    void write(List<?> texts) {
        StringBuilder lines = new StringBuilder();
        texts.forEach(text -> lines.append(ProcessHandle.current().pid())
                .append(' ')
                .append(text)
                .append('\n'));
        try {
            out.write(lines.toString().getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns whether a process has written something. */
    static boolean has(Path file, long process) {
        try (var lines = Files.lines(file, StandardCharsets.US_ASCII)) {
            return lines.anyMatch(line -> line.startsWith(process + " "));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the texts of all processes. */
    static List<String> texts(Path file) {
        try (var lines = Files.lines(file, StandardCharsets.US_ASCII)) {
            return lines.map(line -> line.substring(line.indexOf(' ') + 1)).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
