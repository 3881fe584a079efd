/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories;

import io.github.batchsqs.histories.Step.CallFault;
import io.github.batchsqs.histories.Step.Fault;
import io.github.batchsqs.histories.Step.Outage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the plan wants to go wrong with the calls of one instance, and how many calls there were. */
final class Faults {

    private final Map<String, Fault> byNumber = new HashMap<>();
    private final Map<String, Integer> counts = new HashMap<>();
    private final List<Outage> outages;
    private boolean peace;

    Faults(Plan plan, int instance) {
        for (Step step : plan.steps()) {
            if (step instanceof CallFault fault && fault.instance() == instance) {
                byNumber.put(fault.operation() + fault.number(), fault.fault());
            }
        }
        outages = plan.steps().stream()
                .filter(Outage.class::isInstance)
                .map(Outage.class::cast)
                .filter(outage -> outage.instance() == instance)
                .toList();
    }

    @Nullable
    Fault next(String operation, long now) {
        int number = counts.merge(operation, 1, Integer::sum);
        if (peace) {
            return null;
        }
        for (Outage outage : outages) {
            if (now >= outage.at() && now < outage.at() + outage.length()) {
                return outage.fault();
            }
        }
        return byNumber.get(operation + number);
    }

    void makePeace() {
        peace = true;
    }
}
