/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.client;

import java.util.stream.Stream;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.type.MethodMetadata;

/**
 * Lets Spring Cloud AWS's own SQS beans ({@code SqsAsyncClient}, {@code SqsTemplate} and the factory for {@code @SqsListener}) be
 * created when something uses them: BatchSQS uses none of them, and closing the asynchronous client takes two seconds. Also
 * while {@code batchsqs.enabled} is false: an application that needs no region with BatchSQS needs none without it. Beans that
 * the application defines are left alone.
 */
@AutoConfiguration
public final class BatchSqsLazyClientAutoConfiguration {

    private static final String THEIRS = "io.awspring.cloud.autoconfigure.sqs.SqsAutoConfiguration";

    /** Creates the configuration; Spring calls this constructor. */
    public BatchSqsLazyClientAutoConfiguration() {}

    @Bean
    static BeanFactoryPostProcessor lazySpringCloudAwsBeans() {
        return beans -> Stream.of(beans.getBeanDefinitionNames())
                .map(beans::getBeanDefinition)
                .filter(each -> each instanceof AbstractBeanDefinition undecided && undecided.getLazyInit() == null)
                .filter(BatchSqsLazyClientAutoConfiguration::isTheirs)
                .forEach(each -> each.setLazyInit(true));
    }

    private static boolean isTheirs(BeanDefinition definition) {
        MethodMetadata method =
                definition instanceof AnnotatedBeanDefinition annotated ? annotated.getFactoryMethodMetadata() : null;
        return method != null && method.getDeclaringClassName().startsWith(THEIRS);
    }
}
