/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * The health contributor {@code batchSqsS3}, if Spring Boot's health is there. Off with {@code
 * management.health.batchsqs-s3.enabled=false}; a bean named {@code batchSqsS3HealthIndicator} replaces it.
 */
@AutoConfiguration(after = BatchSqsS3AutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnEnabledHealthIndicator("batchsqs-s3")
@ConditionalOnBean(S3PayloadStore.class)
final class BatchSqsS3HealthAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "batchSqsS3HealthIndicator")
    S3Health batchSqsS3HealthIndicator(S3PayloadStore store) {
        return new S3Health(store);
    }
}
