/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.observation;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** Names and key values of the observation of a sent message. To change some, override the methods and define a bean. */
public interface SendConvention extends ObservationConvention<SendContext> {

    /** The conventions of OpenTelemetry. */
    SendConvention STANDARD = new SendConvention() {};

    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof SendContext;
    }

    @Override
    default String getName() {
        return "batchsqs.send";
    }

    @Override
    default String getContextualName(SendContext context) {
        return "send " + context.queue();
    }

    @Override
    default KeyValues getLowCardinalityKeyValues(SendContext context) {
        return Keys.of("send", context.queue(), context.client());
    }

    @Override
    default KeyValues getHighCardinalityKeyValues(SendContext context) {
        String id = context.messageId();
        return id == null ? KeyValues.empty() : KeyValues.of("messaging.message.id", id);
    }
}
