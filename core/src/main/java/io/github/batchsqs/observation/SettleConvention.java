/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.observation;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** Names and key values of the observation of a delete call. To change some, override the methods and define a bean. */
public interface SettleConvention extends ObservationConvention<SettleContext> {

    /** The conventions of OpenTelemetry. */
    SettleConvention STANDARD = new SettleConvention() {};

    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof SettleContext;
    }

    @Override
    default String getName() {
        return "batchsqs.settle";
    }

    @Override
    default String getContextualName(SettleContext context) {
        return "settle " + context.queue();
    }

    @Override
    default KeyValues getLowCardinalityKeyValues(SettleContext context) {
        return Keys.of("settle", "delete", context.queue(), context.client())
                .and("batchsqs.listener", context.listener());
    }

    @Override
    default KeyValues getHighCardinalityKeyValues(SettleContext context) {
        return KeyValues.of("messaging.batch.message_count", String.valueOf(context.messages()));
    }
}
