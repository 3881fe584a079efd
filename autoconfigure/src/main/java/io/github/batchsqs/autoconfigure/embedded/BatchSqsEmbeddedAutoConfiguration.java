/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.embedded;

import io.awspring.cloud.autoconfigure.core.AwsConnectionDetails;
import io.awspring.cloud.autoconfigure.core.CredentialsProviderAutoConfiguration;
import io.github.batchsqs.autoconfigure.diagnostics.SetupException;
import io.github.batchsqs.autoconfigure.settings.BatchSqsProperties;
import java.io.IOException;
import java.util.Properties;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.support.PropertiesLoaderUtils;

/**
 * Starts an SQS server in the process if {@code batchsqs.embedded.enabled} is true.
 *
 * <p>Its address reaches the clients as {@link AwsConnectionDetails}, which outrank {@code spring.cloud.aws.endpoint}. A
 * bean of that type in the context, for example of a Testcontainers service connection, wins: no server is started then.
 */
@AutoConfiguration(before = CredentialsProviderAutoConfiguration.class)
@ConditionalOnProperty("batchsqs.embedded.enabled")
@ConditionalOnMissingBean(AwsConnectionDetails.class)
@EnableConfigurationProperties(BatchSqsProperties.class)
public final class BatchSqsEmbeddedAutoConfiguration {

    private static final String LIBRARY = "org.elasticmq:elasticmq-rest-sqs_2.13";
    private static final String SERVER_BUILDER = "org.elasticmq.rest.sqs.SQSRestServerBuilder";

    /** Creates the configuration; Spring calls this constructor. */
    public BatchSqsEmbeddedAutoConfiguration() {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = SERVER_BUILDER)
    static final class WithLibrary {

        @Bean(destroyMethod = "close")
        EmbeddedServer batchSqsEmbeddedServer(BatchSqsProperties properties) {
            return EmbeddedServer.start(properties.embedded());
        }

        @Bean
        EmbeddedConnectionDetails batchSqsEmbeddedConnectionDetails(EmbeddedServer server) {
            return new EmbeddedConnectionDetails(server.endpoint());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass(SERVER_BUILDER)
    static final class WithoutLibrary {

        @Bean
        @SuppressWarnings("DoNotCallSuggester") // it always throws, and Spring does call it
        AwsConnectionDetails batchSqsEmbeddedConnectionDetails() throws IOException {
            throw new SetupException(
                    "batchsqs.embedded.enabled is true, but ElasticMQ is not on the class path.",
                    "Add the dependency " + LIBRARY + ":" + version()
                            + " (for development and tests only), or set batchsqs.embedded.enabled=false.");
        }

        private static String version() throws IOException {
            Properties properties = PropertiesLoaderUtils.loadProperties(
                    new ClassPathResource("elasticmq.properties", WithoutLibrary.class));
            return properties.getProperty("version");
        }
    }
}
