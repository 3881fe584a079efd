/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.observation;

import io.micrometer.common.KeyValues;

/** What all observations say, in OpenTelemetry's words. SQS knows no consumer groups, so none is named. */
final class Keys {

    private Keys() {}

    static KeyValues of(String operationType, String operation, String queue) {
        return KeyValues.of(
                "messaging.system",
                "aws_sqs",
                "messaging.operation.type",
                operationType,
                "messaging.operation.name",
                operation,
                "messaging.destination.name",
                queue);
    }
}
