/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** A PostgreSQL server with processes of its own. A commit is on the disk when it returns; everything else is at the defaults of PostgreSQL. */
final class Postgres implements AutoCloseable {

    private static final List<String> DURABLE = List.of("fsync", "synchronous_commit", "full_page_writes");
    private static final List<String> SHOWN = List.of("autovacuum", "autovacuum_naptime", "shared_buffers");

    private final EmbeddedPostgres server;
    private final JdbcTemplate jdbc;

    /** Starts one with an empty database. */
    Postgres() throws IOException {
        // The library is for tests, and switches both off
        this.server = EmbeddedPostgres.builder()
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("fsync", "on")
                .start();
        this.jdbc = new JdbcTemplate(new DriverManagerDataSource(url()));
        for (String setting : DURABLE) {
            if (!show(setting).equals("on")) {
                throw new IllegalStateException("PostgreSQL runs with " + setting + " " + show(setting));
            }
        }
    }

    String url() {
        return server.getJdbcUrl("postgres", "postgres");
    }

    /** Returns what opens a connection for each statement. */
    JdbcTemplate jdbc() {
        return jdbc;
    }

    /** Returns its version and its settings. */
    String describe() {
        return show("server_version") + ", "
                + Stream.concat(DURABLE.stream(), SHOWN.stream())
                        .map(setting -> setting + " " + show(setting))
                        .collect(Collectors.joining(", "));
    }

    private String show(String setting) {
        return Objects.requireNonNull(jdbc.queryForObject("SHOW " + setting, String.class));
    }

    long count(String table) {
        return Objects.requireNonNull(jdbc.queryForObject("SELECT COUNT(*) FROM " + table, Long.class));
    }

    /** Empties a table that exists. */
    void empty(String table) {
        if (exists(table)) {
            jdbc.execute("TRUNCATE " + table);
        }
    }

    private boolean exists(String table) {
        return Boolean.TRUE.equals(jdbc.queryForObject("SELECT to_regclass(?) IS NOT NULL", Boolean.class, table));
    }

    /**
     * The state of a table.
     *
     * @param rows that are there
     * @param deadRows that a vacuum has not removed, as PostgreSQL estimates them
     * @param tableBytes without its indexes
     * @param indexBytes of all its indexes
     * @param autovacuums since the table was created
     */
    record Size(long rows, long deadRows, long tableBytes, long indexBytes, long autovacuums) {}

    Size size(String table) {
        long rows = count(table);
        RowMapper<Size> mapper =
                (row, number) -> new Size(rows, row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4));
        return Objects.requireNonNull(jdbc.queryForObject(
                "SELECT n_dead_tup, pg_table_size(relid), pg_indexes_size(relid), autovacuum_count"
                        + " FROM pg_stat_user_tables WHERE relname = ?",
                mapper,
                table));
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
