/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.reliability;

import io.github.batchsqs.testkit.Progress;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** A PostgreSQL server that keeps its port and its data when it is restarted, and each commit when it crashes. */
final class Postgres implements AutoCloseable {

    private final Path data;
    private EmbeddedPostgres server;

    Postgres(Path folder) throws IOException {
        this.data = folder.resolve("postgres");
        this.server = start(0);
    }

    private EmbeddedPostgres start(int port) throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setPort(port)
                .setPGStartupWait(Duration.ofMinutes(5)) // only one that hangs for good takes so long
                .setServerConfig("synchronous_commit", "on") // for tests it is off, so that a crash could lose a commit
                .setServerConfig("fsync", "on")
                .start();
    }

    String url() {
        return server.getJdbcUrl("postgres", "postgres");
    }

    /** Returns what opens a connection for each statement, and so outlives a restart. */
    JdbcTemplate jdbc() {
        return new JdbcTemplate(new DriverManagerDataSource(url()));
    }

    /** Ends all transactions and connections, and starts again. */
    void restart() throws IOException {
        int port = server.getPort();
        server.close();
        server = start(port);
    }

    /** Ends without a checkpoint, as in a crash, and starts again from the log. */
    void crash() throws IOException, InterruptedException {
        int port = server.getPort();
        List<String> lines = Files.readAllLines(data.resolve("postmaster.pid"));
        ProcessHandle postmaster =
                ProcessHandle.of(Long.parseLong(lines.getFirst().strip())).orElseThrow();
        int unused = new ProcessBuilder("kill", "-QUIT", Long.toString(postmaster.pid()))
                .start()
                .waitFor();
        Progress.until(() -> !postmaster.isAlive());
        server.close();
        server = start(port);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
