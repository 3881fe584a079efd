/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.reliability;

import io.github.batchsqs.annotation.BatchSqsListener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * An application whose listener has the inbox, to be killed. Its tables have no constraint that would stop an order which is processed twice.
 * Some batches fail after their work. It ends when its input does.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration(exclude = {HibernateJpaAutoConfiguration.class, DataJpaRepositoriesAutoConfiguration.class})
public class ConsumerApplication {

    private static final double FAILING = 0.03;
    private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(60);

    private final JdbcTemplate jdbc;
    private final RunLedger ledger;

    ConsumerApplication(JdbcTemplate jdbc, @Value("${ledger}") String ledger) throws IOException {
        this.jdbc = jdbc;
        this.ledger = new RunLedger(Path.of(ledger));
    }

    /** Starts the application. */
    public static void main(String... arguments) throws IOException {
        var unused = SpringApplication.run(ConsumerApplication.class, arguments);
        int end = System.in.read();
        Runtime.getRuntime().halt(end);
    }

    @BatchSqsListener(id = "orders", queue = "${queue}", inbox = "true", inboxKey = "payload.orderId")
    void handle(List<Order> orders) {
        ledger.write(orders.stream().map(Order::orderId).toList());
        Map<Integer, Integer> sums = new TreeMap<>(); // sorted, so that two transactions never wait for each other
        for (Order order : orders) {
            int unused = jdbc.update("INSERT INTO orders VALUES (?, ?)", order.orderId(), order.amount());
            int unusedSum = sums.merge(order.account(), order.amount(), Integer::sum);
        }
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST));
        sums.forEach((account, sum) -> jdbc.update("UPDATE accounts SET total = total + ? WHERE id = ?", sum, account));
        if (ThreadLocalRandom.current().nextDouble() < FAILING) {
            throw new IllegalStateException("on purpose");
        }
    }
}
