/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SqsErrorsTests {

    @Test
    void onlyAReceiveWithoutAResponseIsToldAboutTheReadTimeout() {
        assertThat(SqsErrors.remedy("SendMessageBatch", "ReadTimedOut"))
                .isEqualTo("Check the network between here and SQS");
        assertThat(SqsErrors.remedy("ReceiveMessage", "ReadTimedOut"))
                .startsWith("Check the network between here and SQS")
                .contains("read timeout");
    }
}
