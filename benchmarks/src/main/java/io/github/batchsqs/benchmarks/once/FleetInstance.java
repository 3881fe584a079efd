/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.send.OutgoingMessage;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * An instance of a fleet, in a process of its own: it commits messages with ascending numbers to one group, at a constant rate, until it is told to
 * stop by a byte or the end of its input. It prints each number with the time after its commit.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class FleetInstance {

    /** The table of the next number. */
    static final String NUMBERS = "fleet_numbers";

    static final String QUEUE = "fleet.fifo";

    /** It prints this line, and waits for a byte before its first commit. */
    static final String READY = "ready";

    private static final String GROUP = "one";

    private FleetInstance() {}

    /**
     * Runs it.
     *
     * @param arguments messages a second, and the settings of the application
     */
    @SuppressWarnings("SystemOut") // the parent process reads it
    public static void main(String[] arguments) throws IOException {
        long pause = TimeUnit.SECONDS.toNanos(1) / Long.parseLong(arguments[0]);
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(FleetInstance.class)
                .web(WebApplicationType.NONE)
                .run(arguments)) {
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            BatchSqsOperations sender = context.getBean(BatchSqsOperations.class);
            TransactionTemplate transactions =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            System.out.println(READY);
            int started = System.in.read();
            for (long next = System.nanoTime(); started >= 0 && System.in.available() == 0; next += pause) {
                LockSupport.parkNanos(next - System.nanoTime());
                int number = Objects.requireNonNull(transactions.execute(status -> {
                    int taken = Objects.requireNonNull(jdbc.queryForObject(
                            "UPDATE " + NUMBERS + " SET next = next + 1 RETURNING next", Integer.class));
                    var unused = sender.send(OutgoingMessage.builder(QUEUE, Integer.toString(taken))
                            .groupId(GROUP)
                            .build());
                    return taken;
                }));
                System.out.println(number + " " + System.currentTimeMillis());
            }
        }
    }
}
