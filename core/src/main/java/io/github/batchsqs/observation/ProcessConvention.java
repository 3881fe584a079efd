/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.observation;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** Names and key values of the observation of an invocation. To change some, override the methods and define a bean. */
public interface ProcessConvention extends ObservationConvention<ProcessContext> {

    /** The conventions of OpenTelemetry. */
    ProcessConvention STANDARD = new ProcessConvention() {};

    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof ProcessContext;
    }

    @Override
    default String getName() {
        return "batchsqs.process";
    }

    @Override
    default String getContextualName(ProcessContext context) {
        return "process " + context.batch().queue();
    }

    @Override
    default KeyValues getLowCardinalityKeyValues(ProcessContext context) {
        return Keys.of("process", context.batch().queue(), context.client())
                .and("batchsqs.listener", context.listener());
    }

    @Override
    default KeyValues getHighCardinalityKeyValues(ProcessContext context) {
        int size = context.batch().size();
        return size == 1
                ? KeyValues.of(
                        "messaging.batch.message_count",
                        "1",
                        "messaging.message.id",
                        context.batch().messages().getFirst().id())
                : KeyValues.of("messaging.batch.message_count", String.valueOf(size));
    }
}
