/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueueIdentityTests {

    private static final String URL = "https://sqs.eu-central-1.amazonaws.com/123456789012/q.fifo";

    @ParameterizedTest
    @CsvSource({
        "https://sqs.eu-central-1.amazonaws.com/123456789012/q.fifo/",
        "https://SQS.eu-central-1.amazonaws.com:443/123456789012/q.fifo",
        "http://sqs.eu-central-1.amazonaws.com/123456789012/q.fifo",
        "https://eu-central-1.queue.amazonaws.com/123456789012/q.fifo",
        "https://sqs.eu-central-1.api.aws/123456789012/q.fifo",
        "https://vpce-0abc-1def.sqs.eu-central-1.vpce.amazonaws.com/123456789012/q.fifo",
    })
    void isOneForAllSpellingsOfAUrl(String other) {
        assertThat(identity(other)).isEqualTo(identity(URL));
    }

    @ParameterizedTest
    @CsvSource({
        "https://sqs.eu-west-1.amazonaws.com/123456789012/q.fifo",
        "https://sqs.eu-central-1.amazonaws.com/210987654321/q.fifo",
        "https://sqs.eu-central-1.amazonaws.com/123456789012/Q.fifo",
    })
    void isAnotherForAnotherRegionAccountOrName(String other) {
        assertThat(identity(other)).isNotEqualTo(identity(URL));
    }

    @ParameterizedTest
    @CsvSource({
        "http://localhost:4566/000000000000/q, http://127.0.0.1:4566/000000000000/q",
        "http://localhost:4566/000000000000/q, http://sqs.us-east-1.localhost.localstack.cloud:4566/000000000000/q",
        "http://localhost:4566/000000000000/q, http://localhost:4566/queue/us-east-1/000000000000/q",
        "https://queue.amazonaws.com/1/q, https://sqs.us-east-1.amazonaws.com/1/q",
    })
    void isOneForAllNamesOfAnEndpoint(String one, String other) {
        assertThat(identity(one)).isEqualTo(identity(other));
    }

    @ParameterizedTest
    @CsvSource({"q", "urn:queue", "https://host/q"})
    void isTheUrlWhereThatIsNotOfTheUsualShape(String url) {
        assertThat(identity(url)).isEqualTo(url);
    }

    private static String identity(String url) {
        return QueueIdentity.of(url);
    }
}
