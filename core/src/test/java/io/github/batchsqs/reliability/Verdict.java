/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import io.github.batchsqs.reliability.Ledger.Event;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a ledger says.
 *
 * @param accepted messages whose sending was accepted
 * @param lost those of them that were never run
 * @param rerun runs of a message beyond its first
 * @param sentTwice messages that SQS took twice for two, since the first answer never reached the sender
 * @param unexplained reruns that no kill explains: by the process that ran it before, or after the deletion was accepted
 * @param outOfOrder messages that were run for the first time after a later one of their lane had been
 */
record Verdict(int accepted, int lost, int rerun, int sentTwice, int unexplained, int outOfOrder) {

    static Verdict of(List<Event> events) {
        Set<String> accepted = new HashSet<>();
        Set<String> run = new HashSet<>();
        Set<String> deleted = new HashSet<>();
        Map<String, Long> lastRunBy = new HashMap<>();
        Map<String, Integer> furthest = new HashMap<>();
        int rerun = 0;
        int unexplained = 0;
        int outOfOrder = 0;
        for (Event event : events) {
            switch (event.kind()) {
                case SENT -> accepted.add(event.key());
                case DELETED -> deleted.add(event.id());
                case RUN -> {
                    Long before = lastRunBy.put(event.id(), event.process());
                    if (before != null) {
                        rerun++;
                        if (before == event.process() || deleted.contains(event.id())) {
                            unexplained++;
                        }
                    }
                    if (run.add(event.key())
                            && furthest.merge(event.lane(), event.index(), Math::max) > event.index()) {
                        outOfOrder++;
                    }
                }
            }
        }
        int sentTwice = lastRunBy.size() - run.size();
        Set<String> lost = new HashSet<>(accepted);
        lost.removeAll(run);
        return new Verdict(accepted.size(), lost.size(), rerun, sentTwice, unexplained, outOfOrder);
    }
}
