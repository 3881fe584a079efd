/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueueNotFoundExceptionTests {

    @Test
    void namesTheQueueTheRuleAndTheRemedy() {
        assertThat(new QueueNotFoundException("orders", new IllegalStateException("QueueDoesNotExist")))
                .hasMessageContaining("The queue 'orders' was not found")
                .hasMessageContaining("must exist in the region")
                .hasMessageContaining("create the queue")
                .hasMessageContaining("sqs:GetQueueUrl");
    }
}
