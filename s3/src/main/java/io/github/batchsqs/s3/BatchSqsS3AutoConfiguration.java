/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import io.awspring.cloud.autoconfigure.s3.S3AutoConfiguration;
import io.github.batchsqs.autoconfigure.internal.settings.BatchSqsProperties;
import io.github.batchsqs.autoconfigure.internal.settings.Switches;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.payload.PayloadStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Stores large payloads in S3 if {@code batchsqs.s3.bucket} is set, with the application's {@code S3Client}: that of Spring
 * Cloud AWS, whose settings ({@code spring.cloud.aws.*}) apply, or its own.
 *
 * <p>A bean of type {@link PayloadStore} replaces it.
 */
@AutoConfiguration(after = S3AutoConfiguration.class)
@EnableConfigurationProperties(BatchSqsProperties.class)
@Conditional(Switches.BatchSqs.class)
@ConditionalOnProperty("batchsqs.s3.bucket")
public final class BatchSqsS3AutoConfiguration {

    /** Creates the configuration; Spring calls this constructor. */
    public BatchSqsS3AutoConfiguration() {}

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean(PayloadStore.class)
    S3PayloadStore batchSqsS3PayloadStore(
            BatchSqsProperties properties, ObjectProvider<S3Client> clients, ObjectProvider<MeterRegistry> meters) {
        S3Options options = S3Options.of(properties.s3(), properties.memory().max());
        S3Client client = clients.getIfUnique();
        if (client == null) {
            throw new InvalidOptionException(
                    "batchsqs.s3.bucket",
                    "needs one bean of type S3Client, or a primary one",
                    options.bucket(),
                    "set spring.cloud.aws.s3.enabled to true, define such a bean, or remove the key");
        }
        return new S3PayloadStore(
                options, client, new S3Meters(meters.getIfAvailable(CompositeMeterRegistry::new)), TimeSource.system());
    }
}
