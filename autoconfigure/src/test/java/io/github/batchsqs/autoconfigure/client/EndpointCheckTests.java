/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.autoconfigure.testkit.StartFailure;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointCheckTests {

    @ParameterizedTest
    @CsvSource({
        "spring.cloud.aws.sqs.endpoint, localhost:4566, http://localhost:4566",
        "spring.cloud.aws.endpoint, localhost, http://localhost",
        "spring.cloud.aws.endpoint, //localstack:4566, http://localstack:4566",
        "spring.cloud.aws.sqs.endpoint, ftp://localhost, a URL such as http://localhost:4566",
    })
    void anEndpointWithoutASchemeIsNamedByItsKey(String key, String endpoint, String suggestion) {
        Contexts.aws()
                .withPropertyValues(key + "=" + endpoint)
                .run(context -> assertThat(StartFailure.of(context))
                        .contains(
                                key + " must be a URL with http:// or https://.",
                                "Value: " + endpoint,
                                "Action: Write " + suggestion + "."));
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://localhost:4566", "https://my_sqs/", ""})
    void anEndpointThatIsAUrlIsNot(String endpoint) {
        Contexts.aws()
                .withPropertyValues("spring.cloud.aws.sqs.endpoint=" + endpoint)
                .run(context -> assertThat(context).hasNotFailed());
    }
}
