/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories;

import java.util.ArrayList;
import java.util.List;

/** Shortens a history that fails: leaves out steps, many at first, as long as the same law is broken. */
final class Shrinking {

    private static final int MAX_RUNS = 400;

    private final String kind;
    private Plan shortest;
    private int runs;

    private Shrinking(Plan failing, String kind) {
        this.shortest = failing;
        this.kind = kind;
    }

    static Plan of(Plan failing, String kind) {
        Shrinking shrinking = new Shrinking(failing, kind);
        for (int size = Math.max(1, failing.steps().size() / 2); size >= 1; size /= 2) {
            shrinking.leaveOut(size);
        }
        shrinking.leaveOut(1);
        return shrinking.shortest;
    }

    private void leaveOut(int size) {
        for (int from = 0; from < shortest.steps().size() && runs < MAX_RUNS; ) {
            List<Step> rest = new ArrayList<>(shortest.steps());
            rest.subList(from, Math.min(rest.size(), from + size)).clear();
            Plan shorter = shortest.with(rest);
            runs++;
            if (kind.equals(History.run(shorter, null).kind())) {
                shortest = shorter;
            } else {
                from += size;
            }
        }
    }
}
