/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.awspring.cloud.autoconfigure.core.AwsConnectionDetails;
import io.github.batchsqs.autoconfigure.internal.embedded.EmbeddedEndpoint;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.autoconfigure.testkit.OtherServer;
import io.github.batchsqs.autoconfigure.testkit.StartFailure;
import io.github.batchsqs.send.BatchSqsOperations;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointCheckTests {

    @ParameterizedTest
    @CsvSource({
        "spring.cloud.aws.sqs.endpoint, localhost:4566, localhost:4566, http://localhost:4566",
        "spring.cloud.aws.endpoint, localhost, localhost, http://localhost",
        "spring.cloud.aws.endpoint, //localstack:4566, //localstack:4566, http://localstack:4566",
        "spring.cloud.aws.sqs.endpoint, ftp://localhost, ftp://localhost, a URL such as http://localhost:4566",
        "spring.cloud.aws.sqs.endpoint, htp://user:secret@sqs, htp://***@sqs, a URL such as http://localhost:4566",
        "spring.cloud.aws.sqs.endpoint, user:secret@sqs:4566, ***@sqs:4566, http://***@sqs:4566",
        "spring.cloud.aws.sqs.endpoint, //user:secret@sqs, //***@sqs, http://***@sqs",
        "spring.cloud.aws.sqs.endpoint, user:sec/ret@sqs, ***@sqs, http://***@sqs",
        "spring.cloud.aws.sqs.endpoint, user:sec ret@sqs, ***@sqs, a URL such as http://localhost:4566",
    })
    void anEndpointWithoutASchemeIsNamedByItsKeyWithoutItsUserInformation(
            String key, String endpoint, String masked, String suggestion) {
        Contexts.aws()
                .withPropertyValues(key + "=" + endpoint)
                .run(context -> assertThat(StartFailure.of(context))
                        .contains(
                                key + " must be a URL with http:// or https://.",
                                "Value: " + masked,
                                "Action: Write " + suggestion + ".")
                        .doesNotContain("sec", "ret@"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://localhost:4566", "HTTP://localhost:4566", "https://my_sqs/", ""})
    void anEndpointThatIsAUrlIsNot(String endpoint) {
        Contexts.aws()
                .withPropertyValues("spring.cloud.aws.sqs.endpoint=" + endpoint)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost:4566", "ftp://localhost"})
    void anEndpointThatTheClientDoesNotUseIsNotRefused(String unused) {
        Contexts.aws()
                .withPropertyValues(
                        "spring.cloud.aws.endpoint=" + unused, "spring.cloud.aws.sqs.endpoint=http://localhost:4566")
                .run(context -> assertThat(context).hasNotFailed());
        Contexts.aws()
                .withPropertyValues("spring.cloud.aws.sqs.endpoint=" + unused)
                .withBean(AwsConnectionDetails.class, OtherServer::new)
                .run(context -> assertThat(context).hasNotFailed());
        Contexts.embedded()
                .withPropertyValues("spring.cloud.aws.sqs.endpoint=" + unused)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void anUpperCaseSchemeReachesTheServer() {
        Contexts.embedded()
                .withPropertyValues("batchsqs.embedded.queues=orders")
                .run(server -> {
                    URI address = server.getBean(EmbeddedEndpoint.class).uri();
                    Contexts.aws()
                            .withPropertyValues("spring.cloud.aws.sqs.endpoint=HTTP://" + address.getRawAuthority())
                            .run(context -> assertThat(context.getBean(BatchSqsOperations.class)
                                            .sendAndWait("orders", "a")
                                            .messageId())
                                    .isNotEmpty());
                });
    }
}
