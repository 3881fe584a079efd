/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import java.util.ArrayList;
import java.util.List;

/** Which attributes a request asks for. */
final class Wanted {

    private boolean allSystem;
    private boolean allMessage;
    private final List<String> system = new ArrayList<>();
    private final List<String> message = new ArrayList<>();

    void system(String name) {
        allSystem |= name.equals("All");
        system.add(name);
    }

    void message(String name) {
        allMessage |= name.equals("All") || name.equals(".*");
        message.add(name);
    }

    boolean wantsSystem(String name) {
        return allSystem || system.contains(name);
    }

    boolean wantsAnySystem() {
        return !system.isEmpty();
    }

    boolean wantsMessage(String name) {
        return allMessage
                || message.contains(name)
                || message.stream()
                        .anyMatch(each -> each.endsWith(".*") && name.startsWith(each.substring(0, each.length() - 2)));
    }
}
