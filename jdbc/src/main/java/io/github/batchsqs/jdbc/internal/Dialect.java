/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal;

import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/** The databases whose SQL inbox and outbox know. */
public enum Dialect {
    POSTGRESQL("postgresql"),
    MYSQL("mysql"),
    MARIADB("mysql"),
    H2("h2");

    private final String script;

    Dialect(String script) {
        this.script = script;
    }

    /** Returns the place of the script that creates the tables. */
    public String schema() {
        return "classpath:io/github/batchsqs/jdbc/schema-" + script + ".sql";
    }

    /** Returns an expression for the time of the database, in milliseconds since 1970. */
    public String now() {
        return switch (this) {
            case POSTGRESQL -> "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)";
            case MYSQL, MARIADB -> "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)";
            case H2 -> "DATEDIFF('MILLISECOND', TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00', CURRENT_TIMESTAMP)";
        };
    }

    static Dialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return switch (product.toLowerCase(Locale.ROOT)) {
            case "postgresql" -> POSTGRESQL;
            case "mysql" -> MYSQL;
            case "mariadb" -> MARIADB;
            case "h2" -> H2;
            default ->
                throw new SetupException(
                        "Inbox and outbox do not know the SQL of the database " + product + ".",
                        "Use PostgreSQL, MySQL, MariaDB or H2, name a DataSource of one of them with"
                                + " batchsqs.jdbc.data-source, or disable inbox and outbox.");
        };
    }
}
