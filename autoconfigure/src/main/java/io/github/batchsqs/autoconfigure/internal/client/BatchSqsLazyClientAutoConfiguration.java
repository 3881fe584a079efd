/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.client;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * Lets Spring Cloud AWS's own SQS beans be created when something uses them, also while {@code batchsqs.enabled} is false: an
 * application that needs no region with BatchSQS needs none without it.
 */
@AutoConfiguration
public final class BatchSqsLazyClientAutoConfiguration {

    /** Creates the configuration; Spring calls this constructor. */
    public BatchSqsLazyClientAutoConfiguration() {}

    @Bean
    static LazySpringCloudAwsBeans lazySpringCloudAwsBeans() {
        return new LazySpringCloudAwsBeans();
    }
}
