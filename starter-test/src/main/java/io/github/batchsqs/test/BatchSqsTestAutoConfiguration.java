/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.test;

import io.github.batchsqs.autoconfigure.internal.client.BatchSqsClientAutoConfiguration;
import io.github.batchsqs.autoconfigure.internal.settings.Switches;
import io.github.batchsqs.client.QueueResolver;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Lazy;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Provides {@link TestQueues}, also with {@code @SpringBootTest}. */
@AutoConfiguration(after = BatchSqsClientAutoConfiguration.class)
@Conditional(Switches.BatchSqs.class)
public final class BatchSqsTestAutoConfiguration {

    /** Creates the configuration; Spring calls this constructor. */
    public BatchSqsTestAutoConfiguration() {}

    @Lazy
    @Bean
    TestQueues batchSqsTestQueues(@Qualifier("batchSqsClient") SqsClient client, QueueResolver resolver) {
        return new TestQueues(client, resolver);
    }
}
