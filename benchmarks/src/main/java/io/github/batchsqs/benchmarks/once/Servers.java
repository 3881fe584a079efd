/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The servers of the suite, and the applications that use them, in this process.
 *
 * @param postgres with the tables of the handlers and producers
 * @param simulator of SQS
 */
record Servers(Postgres postgres, SimulatorProcess simulator) implements AutoCloseable {

    /** Invocations, or threads that send. */
    static final int CONCURRENCY = 16;

    static final int POOL = 20;

    /** So long the last messages may take. */
    static final Duration LONGEST = Duration.ofMinutes(2);

    /** A row for each message or transaction. */
    static final String WORK = "work";

    /** Starts both. */
    static Servers start() throws IOException, InterruptedException {
        Postgres postgres = new Postgres();
        try {
            postgres.jdbc().execute("CREATE TABLE " + WORK + " (id VARCHAR(100) NOT NULL, body TEXT NOT NULL)");
            return new Servers(postgres, new SimulatorProcess());
        } catch (IOException | InterruptedException | RuntimeException failure) {
            try {
                postgres.close();
            } catch (IOException alsoFailed) {
                failure.addSuppressed(alsoFailed);
            }
            throw failure;
        }
    }

    /** Returns the settings of an application that uses them. */
    List<String> settings(String name) {
        return List.of(
                "--spring.main.banner-mode=off",
                "--spring.cloud.aws.endpoint=" + simulator.endpoint(),
                "--spring.cloud.aws.region.static=us-east-1",
                "--spring.cloud.aws.credentials.access-key=test",
                "--spring.cloud.aws.credentials.secret-key=test",
                "--spring.datasource.url=" + postgres.url() + "&ApplicationName=" + name,
                "--spring.datasource.hikari.maximum-pool-size=" + POOL,
                "--batchsqs.jdbc.initialize-schema=always");
    }

    /**
     * Starts an application.
     *
     * @param settings beside those of the servers
     * @param count counts its statements; none by default, because it slows them
     */
    ConfigurableApplicationContext application(Class<?> main, List<String> settings, @Nullable StatementCount count) {
        List<String> arguments = new ArrayList<>(settings("suite"));
        arguments.addAll(settings);
        SpringApplicationBuilder application = new SpringApplicationBuilder(main).web(WebApplicationType.NONE);
        if (count != null) {
            application.initializers(context -> context.getBeanFactory().addBeanPostProcessor(new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    return bean instanceof DataSource source ? count.around(source) : bean;
                }
            }));
        }
        return application.run(arguments.toArray(String[]::new));
    }

    /** Waits for the rows of the last messages: they are deleted after SQS has accepted them. */
    void awaitEmptyOutbox() throws IOException, InterruptedException {
        long began = System.nanoTime();
        while (postgres.count(OutboxLoad.TABLE) > 0) {
            if (System.nanoTime() - began > LONGEST.toNanos()) {
                throw new IOException("Rows stay in the outbox");
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    /** Empties the tables between two rows. */
    void emptyTables() {
        List.of(WORK, InboxLoad.TABLE, OutboxLoad.TABLE).forEach(postgres::empty);
    }

    @Override
    public void close() throws IOException {
        simulator.close();
        postgres.close();
    }
}
