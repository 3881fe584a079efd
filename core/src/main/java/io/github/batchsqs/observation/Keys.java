/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.observation;

import io.micrometer.common.KeyValues;

/**
 * The key names and common values of all observations, by the conventions of OpenTelemetry. SQS has no consumer groups,
 * so no key names one.
 */
final class Keys {

    private Keys() {}

    static KeyValues of(String operation, String queue, String client) {
        return KeyValues.of(
                "messaging.system",
                "aws_sqs",
                "messaging.operation.type",
                operation,
                "messaging.operation.name",
                operation,
                "messaging.destination.name",
                queue,
                "batchsqs.client",
                client);
    }
}
