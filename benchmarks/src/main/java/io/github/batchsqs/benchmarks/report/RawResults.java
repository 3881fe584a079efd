/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The files of the raw results, and the pages that link to them. */
public final class RawResults {

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private RawResults() {}

    /** Reads a file. */
    public static <T> T read(Path file, Class<T> type) {
        return JSON.readValue(file.toFile(), type);
    }

    static <T> T parse(String json, Class<T> type) {
        return JSON.readValue(json, type);
    }

    /** Writes a file, in a folder that may be missing. */
    public static void write(Path file, Object results) throws IOException {
        Path unused = Files.createDirectories(file.toAbsolutePath().getParent());
        JSON.writeValue(file.toFile(), results);
    }
}
