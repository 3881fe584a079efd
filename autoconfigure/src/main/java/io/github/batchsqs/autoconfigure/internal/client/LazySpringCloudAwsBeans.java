/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.client;

import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.core.type.MethodMetadata;

/**
 * Lets Spring create the beans of Spring Cloud AWS's {@code SqsAutoConfiguration} when something uses them: {@code
 * SqsAsyncClient}, {@code SqsTemplate} and the factory for {@code @SqsListener}. BatchSQS uses none of them, and closing the
 * asynchronous client takes two seconds. Beans that the application defines are left alone.
 */
final class LazySpringCloudAwsBeans implements BeanFactoryPostProcessor {

    private static final String THEIRS = "io.awspring.cloud.autoconfigure.sqs.SqsAutoConfiguration";

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        for (String name : beans.getBeanDefinitionNames()) {
            BeanDefinition definition = beans.getBeanDefinition(name);
            if (definition instanceof AbstractBeanDefinition undecided
                    && undecided.getLazyInit() == null
                    && isTheirs(definition)) {
                definition.setLazyInit(true);
            }
        }
    }

    private static boolean isTheirs(BeanDefinition definition) {
        MethodMetadata method =
                definition instanceof AnnotatedBeanDefinition annotated ? annotated.getFactoryMethodMetadata() : null;
        return method != null && method.getDeclaringClassName().startsWith(THEIRS);
    }
}
