/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.autoconfigure.testkit.StartFailure;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a start says that fails for reasons outside of the application. */
class StartFailuresTests {

    @ParameterizedTest
    @CsvSource({
        "http://sqs.nowhere.invalid, http://sqs.nowhere.invalid",
        "http://user:secret@sqs.nowhere.invalid, http://***@sqs.nowhere.invalid",
    })
    void aHostThatHasNoAddressIsNamedWithWhatToCheck(String endpoint, String named) {
        Contexts.aws()
                .withPropertyValues("spring.cloud.aws.sqs.endpoint=" + endpoint)
                .withBean(Orders.class)
                .run(context -> assertThat(StartFailure.of(context))
                        .contains("The listener 'orders' did not start: ")
                        .contains("region eu-central-1 (" + named + ")")
                        .contains("as spring.cloud.aws.region.static, spring.cloud.aws.sqs.endpoint if it is set say")
                        .contains("batchsqs.listeners.orders.auto-startup=false")
                        .doesNotContain("secret@"));
    }

    static class Orders {
        @BatchSqsListener(queue = "orders")
        void orders(List<String> orders) {}
    }
}
