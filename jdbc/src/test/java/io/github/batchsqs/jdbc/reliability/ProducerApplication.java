/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.reliability;

import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.send.OutgoingMessage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * An application that sends through the outbox, to be killed. Each of its groups has a thread, which places the next order of the group and sends
 * its message in one transaction; one transaction in ten is rolled back. It places as many orders as the table {@code goal} says, and ends when
 * its input does.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration(exclude = {HibernateJpaAutoConfiguration.class, DataJpaRepositoriesAutoConfiguration.class})
public class ProducerApplication {

    /** Of each instance. */
    static final int GROUPS = 10;

    private static final double ROLLED_BACK = 0.1;
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

    /** Creates the configuration. */
    public ProducerApplication() {}

    /** Starts the application. */
    public static void main(String... arguments) throws IOException {
        ConfigurableApplicationContext context = SpringApplication.run(ProducerApplication.class, arguments);
        int instance = context.getEnvironment().getRequiredProperty("instance", Integer.class);
        for (int i = 0; i < GROUPS; i++) {
            String group = "g" + (instance * GROUPS + i);
            Group placing = new Group(context, group);
            Thread unused = Thread.ofVirtual().start(placing::run);
        }
        int end = System.in.read();
        Runtime.getRuntime().halt(end);
    }

    private static final class Group {

        private final ConfigurableApplicationContext context;
        private final JdbcTemplate jdbc;
        private final TransactionTemplate transactions;
        private final BatchSqsOperations sender;
        private final RunLedger ledger;
        private final String queue;
        private final String name;

        Group(ConfigurableApplicationContext context, String name) throws IOException {
            Environment environment = context.getEnvironment();
            this.context = context;
            this.jdbc = context.getBean(JdbcTemplate.class);
            this.transactions = context.getBean(TransactionTemplate.class);
            this.sender = context.getBean(BatchSqsOperations.class);
            this.ledger = new RunLedger(Path.of(environment.getRequiredProperty("ledger")));
            this.queue = environment.getRequiredProperty("queue");
            this.name = name;
        }

        private int number(String sql, Object... values) {
            return Objects.requireNonNull(jdbc.queryForObject(sql, Integer.class, values));
        }

        private void run() {
            while (context.isActive()) {
                boolean placed = false;
                try {
                    placed = Boolean.TRUE.equals(transactions.execute(status -> {
                        int last = number("SELECT coalesce(max(position), 0) FROM placed WHERE grp = ?", name);
                        if (last >= number("SELECT orders FROM goal")) {
                            return false;
                        }
                        String message = name + ":" + (last + 1) + ":" + UUID.randomUUID();
                        ledger.write(List.of(message));
                        int unused = jdbc.update("INSERT INTO placed VALUES (?, ?, ?)", name, last + 1, message);
                        var unusedFuture = sender.send(OutgoingMessage.builder(queue, message)
                                .groupId(name)
                                .build());
                        if (ThreadLocalRandom.current().nextDouble() < ROLLED_BACK) {
                            status.setRollbackOnly();
                        }
                        return true;
                    }));
                } catch (DataAccessException | TransactionException failed) {
                    System.err.println("Not placed: " + failed);
                }
                LockSupport.parkNanos(placed ? ThreadLocalRandom.current().nextLong(PAUSE) : PAUSE);
            }
        }
    }
}
