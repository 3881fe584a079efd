/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.embedded;

import io.awspring.cloud.autoconfigure.sqs.SqsProperties;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Sets {@code spring.cloud.aws.sqs.endpoint} and {@code .region} to those of the embedded server, whatever they were. */
record EmbeddedSqsProperties(ObjectProvider<EmbeddedEndpoint> endpoint) implements BeanPostProcessor {

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof SqsProperties properties) {
            properties.setEndpoint(endpoint.getObject().uri());
            properties.setRegion(EmbeddedEndpoint.REGION);
        }
        return bean;
    }
}
