/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc;

import io.awspring.cloud.autoconfigure.core.AwsAutoConfiguration;
import io.awspring.cloud.autoconfigure.core.CredentialsProviderAutoConfiguration;
import io.awspring.cloud.autoconfigure.core.RegionProviderAutoConfiguration;
import io.github.batchsqs.autoconfigure.internal.client.BatchSqsClientAutoConfiguration;
import io.github.batchsqs.autoconfigure.internal.listener.BatchSqsListenerAutoConfiguration;
import io.github.batchsqs.autoconfigure.internal.sender.BatchSqsSenderAutoConfiguration;
import io.github.batchsqs.jdbc.internal.inbox.BatchSqsInboxAutoConfiguration;
import io.github.batchsqs.jdbc.internal.outbox.BatchSqsOutboxAutoConfiguration;
import io.github.batchsqs.testkit.SqsQueues;
import java.net.URI;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;

/**
 * ElasticMQ in this JVM, which all tests share, or the server at the system property {@code batchsqs.test.endpoint}. Server and
 * client end with the JVM.
 */
public final class Queues {

    private static final String GIVEN = System.getProperty("batchsqs.test.endpoint", "");

    public static final URI ENDPOINT = GIVEN.isEmpty() ? start() : URI.create(GIVEN);

    public static final SqsQueues SQS = SqsQueues.at(ENDPOINT);

    private Queues() {}

    private static URI start() {
        SQSRestServer server = SQSRestServerBuilder.withInterface("127.0.0.1")
                .withDynamicPort()
                .withAWSRegion("us-east-1")
                .start();
        int port = server.waitUntilStarted().localAddress().getPort();
        return URI.create("http://127.0.0.1:" + port);
    }

    /** Returns the settings of an application that uses these queues. */
    public static String[] properties() {
        return new String[] {
            "spring.cloud.aws.region.static=us-east-1",
            "spring.cloud.aws.credentials.access-key=key",
            "spring.cloud.aws.credentials.secret-key=secret",
            "spring.cloud.aws.sqs.endpoint=" + ENDPOINT
        };
    }

    /** Returns an application that uses these queues, without a database. */
    public static ApplicationContextRunner application() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        PropertyPlaceholderAutoConfiguration.class,
                        AwsAutoConfiguration.class,
                        CredentialsProviderAutoConfiguration.class,
                        RegionProviderAutoConfiguration.class,
                        BatchSqsClientAutoConfiguration.class,
                        BatchSqsListenerAutoConfiguration.class,
                        BatchSqsSenderAutoConfiguration.class,
                        BatchSqsJdbcAutoConfiguration.class,
                        BatchSqsInboxAutoConfiguration.class,
                        BatchSqsOutboxAutoConfiguration.class))
                .withPropertyValues(properties())
                .withPropertyValues(
                        "batchsqs.listener.wait-time=1s",
                        "batchsqs.sender.max-block=1h"); // a machine that stalls takes long for a look-up
    }

    /** Returns what Spring Boot configures for a database. */
    public static AutoConfigurations database() {
        return AutoConfigurations.of(
                DataSourceAutoConfiguration.class,
                DataSourceTransactionManagerAutoConfiguration.class,
                TransactionAutoConfiguration.class,
                JdbcTemplateAutoConfiguration.class);
    }
}
