/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.test;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.internal.endpoint.BatchSqsEndpoint;
import io.github.batchsqs.autoconfigure.internal.endpoint.ListenerReport;
import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.testkit.Progress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * {@code concurrency: auto} with a handler that needs one of ten connections to a database, in a whole application. How good its
 * number is, is the business of other tests: here nothing depends on the time that anything takes.
 */
@SpringBootTest(
        classes = ConnectionPoolTests.Application.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = {
            "batchsqs.embedded.enabled=true",
            "batchsqs.embedded.queues[0].name=payments",
            "batchsqs.embedded.queues[0].visibility-timeout=1h",
            "batchsqs.listener.wait-time=1s",
            "batchsqs.listeners.payments.concurrency=auto:40",
            "management.endpoints.web.exposure.include=batchsqs"
        })
class ConnectionPoolTests {

    private static final int CONNECTIONS = 10;
    private static final int FIRST_CONCURRENCY = 16;
    private static final int MAX_CONCURRENCY = 40;
    private static final int PAYMENTS = 1_000;

    @Autowired
    BatchSqsOperations sqs;

    @Autowired
    BatchSqsEndpoint endpoint;

    @Autowired
    HikariDataSource database;

    @Autowired
    Payments payments;

    @AfterEach
    void release() {
        payments.mayGoOn.countDown();
    }

    @Test
    void handlesEachMessageOnceWhileInvocationsWaitForConnections() throws Exception {
        var sent = sqs.sendAll("payments", IntStream.range(0, PAYMENTS).boxed().toList());
        assertThat(sent.successful()).hasSize(PAYMENTS);

        Progress.until(
                () -> database.getHikariPoolMXBean().getThreadsAwaitingConnection(), FIRST_CONCURRENCY - CONNECTIONS);
        assertThat(concurrency()).isEqualTo(new ListenerReport.Concurrency(FIRST_CONCURRENCY, true));

        payments.mayGoOn.countDown();
        Progress.until(
                () -> {
                    assertThat(concurrency().limit()).isBetween(1, MAX_CONCURRENCY);
                    return stored("distinct payment");
                },
                PAYMENTS);
        assertThat(stored("payment")).isEqualTo(PAYMENTS);
        assertThat(concurrency().automatic()).isTrue();
    }

    private ListenerReport.Concurrency concurrency() {
        return Objects.requireNonNull(
                        Objects.requireNonNull(endpoint.listeners().get("listeners"))
                                .get("payments"))
                .concurrency();
    }

    private int stored(String what) throws SQLException {
        // Not from the pool, for which the handlers wait
        try (Connection connection = DriverManager.getConnection(database.getJdbcUrl());
                Statement statement = connection.createStatement();
                ResultSet count = statement.executeQuery("select count(" + what + ") from payments")) {
            boolean unused = count.next();
            return count.getInt(1);
        }
    }

    @Configuration
    @EnableAutoConfiguration
    static class Application {

        @Bean(destroyMethod = "close")
        HikariDataSource database() throws SQLException {
            var config = new HikariConfig();
            config.setJdbcUrl("jdbc:h2:mem:payments;DB_CLOSE_DELAY=-1");
            config.setMaximumPoolSize(CONNECTIONS);
            config.setConnectionTimeout(0); // waits for ever
            var database = new HikariDataSource(config);
            try (Connection connection = database.getConnection();
                    Statement statement = connection.createStatement()) {
                boolean unused = statement.execute("create table payments (payment int)");
            }
            return database;
        }

        @Bean
        Payments payments(DataSource database) {
            return new Payments(database);
        }
    }

    static class Payments {

        final CountDownLatch mayGoOn = new CountDownLatch(1);
        private final DataSource database;

        Payments(DataSource database) {
            this.database = database;
        }

        @BatchSqsListener(id = "payments", queue = "payments")
        void store(Integer payment) throws SQLException, InterruptedException {
            try (Connection connection = database.getConnection();
                    PreparedStatement insert = connection.prepareStatement("insert into payments values (?)")) {
                mayGoOn.await();
                insert.setInt(1, payment);
                int unused = insert.executeUpdate();
            }
        }
    }
}
