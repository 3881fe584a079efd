/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.embedded;

import io.awspring.cloud.autoconfigure.core.AwsConnectionDetails;
import io.awspring.cloud.autoconfigure.sqs.SqsAsyncClientCustomizer;
import io.awspring.cloud.autoconfigure.sqs.SqsProperties;
import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import io.github.batchsqs.autoconfigure.internal.settings.BatchSqsProperties;
import io.github.batchsqs.autoconfigure.internal.settings.Switches;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.util.ClassUtils;

/**
 * Starts an SQS server in the process if {@code batchsqs.embedded.enabled} is true.
 *
 * <p>Its address reaches the SQS clients of BatchSQS and of Spring Cloud AWS as {@link SqsProperties}, whatever
 * {@code spring.cloud.aws.sqs.*} and {@code spring.cloud.aws.endpoint} are. Clients of other AWS services are as they would
 * be without it. A bean of type {@link AwsConnectionDetails} in the context, for example of a Testcontainers service
 * connection, wins: no server is started then.
 */
@AutoConfiguration
@Conditional({Switches.BatchSqs.class, Switches.Embedded.class})
@ConditionalOnMissingBean(AwsConnectionDetails.class)
@EnableConfigurationProperties(BatchSqsProperties.class)
public final class BatchSqsEmbeddedAutoConfiguration {

    private static final String SERVER_BUILDER = "org.elasticmq.rest.sqs.SQSRestServerBuilder";

    /** Creates the configuration; Spring calls this constructor. */
    public BatchSqsEmbeddedAutoConfiguration() {}

    @Bean
    static EmbeddedSqsProperties batchSqsEmbeddedSqsProperties(ObjectProvider<EmbeddedEndpoint> endpoint) {
        return new EmbeddedSqsProperties(endpoint);
    }

    @Bean
    SqsAsyncClientCustomizer batchSqsEmbeddedCredentials() {
        return builder -> builder.credentialsProvider(EmbeddedEndpoint.CREDENTIALS);
    }

    @Bean(destroyMethod = "close")
    EmbeddedEndpoint batchSqsEmbeddedEndpoint(BatchSqsProperties properties) {
        if (!ClassUtils.isPresent(SERVER_BUILDER, null)) {
            throw new SetupException(
                    "batchsqs.embedded.enabled is true, but ElasticMQ is not on the class path.",
                    "Add the dependency org.elasticmq:elasticmq-rest-sqs_2.13 (for development and tests only; the page"
                            + " Getting started has its version), or set batchsqs.embedded.enabled=false.");
        }
        return EmbeddedServer.start(properties.embedded());
    }
}
