/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The calls per second of a FIFO queue. Without high throughput each action has one allowance, and a call costs one. With it each
 * action has an allowance for each partition, which the hash of the group chooses; an entry of a batch costs a tenth. A receive
 * costs one call of the partition that is next. An allowance that was not used lasts for one second. Times are milliseconds.
 */
final class FifoQuota {

    private static final double MILLIS = 1e3;
    private static final double CALL = 10;
    private static final double ENTRY = 1;

    private final Map<String, Allowance> allowances = new HashMap<>();
    private long receives;

    private static final class Allowance {
        double tenths;
        long at;
    }

    /**
     * Counts a call.
     *
     * @param action send, receive or delete
     * @param groups of its messages; empty for a receive
     * @param batch whether it is the call of a batch
     * @return false if the call exceeds the quota, which then costs nothing
     */
    boolean permits(
            String action, List<String> groups, boolean batch, boolean highThroughput, Quotas quotas, long now) {
        if (quotas.fifoCalls() == 0) {
            return true;
        }
        Map<String, Double> costs = new HashMap<>();
        if (!highThroughput) {
            costs.put(action, CALL);
        } else if (groups.isEmpty()) {
            costs.put(action + receives++ % quotas.partitions(), CALL);
        } else {
            for (String group : groups) {
                String partition = action + Math.floorMod(group.hashCode(), quotas.partitions());
                costs.merge(partition, batch ? ENTRY : CALL, Double::sum);
            }
        }
        boolean permitted = costs.entrySet().stream()
                .allMatch(cost -> allowance(cost.getKey(), quotas, now).tenths >= cost.getValue());
        if (permitted) {
            costs.forEach((key, cost) -> allowance(key, quotas, now).tenths -= cost);
        }
        return permitted;
    }

    private Allowance allowance(String key, Quotas quotas, long now) {
        Allowance allowance = allowances.computeIfAbsent(key, name -> {
            Allowance full = new Allowance();
            full.tenths = CALL * quotas.fifoCalls();
            full.at = now;
            return full;
        });
        double more = (now - allowance.at) / MILLIS * CALL * quotas.fifoCalls();
        allowance.tenths = Math.min(CALL * quotas.fifoCalls(), allowance.tenths + more);
        allowance.at = now;
        return allowance;
    }
}
