/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.controls;

import io.awspring.cloud.autoconfigure.AwsClientCustomizer;
import io.awspring.cloud.autoconfigure.sqs.SqsProperties;
import java.util.Objects;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import software.amazon.awssdk.services.sqs.SqsClientBuilder;

/** Puts a wire that can be cut between the SQS client and the embedded server; there is none to a real one. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty("batchsqs.embedded.enabled")
class WireConfiguration {

    @Bean(initMethod = "open")
    Wire wire(SqsProperties embedded) {
        return new Wire(Objects.requireNonNull(embedded.getEndpoint()));
    }

    @Bean
    AwsClientCustomizer<SqsClientBuilder> throughTheWire(Wire wire) {
        return builder -> builder.endpointOverride(wire.endpoint());
    }
}
