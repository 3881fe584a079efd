/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.SqsMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** Which messages of each group were handled with success, in that order; bodies are {@code group:index}. */
final class GroupOrder {

    private final Map<String, List<Integer>> byGroup = new HashMap<>();
    private final Set<String> messages = new HashSet<>();

    /** The handling of these messages, of one or several groups, succeeded in this order. */
    synchronized void succeeded(List<SqsMessage<String>> handled) {
        for (SqsMessage<String> message : handled) {
            String body = message.payload();
            int colon = body.indexOf(':');
            byGroup.computeIfAbsent(body.substring(0, colon), key -> new ArrayList<>())
                    .add(Integer.valueOf(body.substring(colon + 1)));
            messages.add(body);
        }
    }

    /** How many messages were handled, each counted once. */
    synchronized int messages() {
        return messages.size();
    }

    synchronized List<Integer> of(String group) {
        return List.copyOf(byGroup.getOrDefault(group, List.of()));
    }

    /** Every message succeeded, none twice, in whatever order. */
    void assertEachOnce(int groups, int each) {
        List<Integer> sent = IntStream.range(0, each).boxed().toList();
        for (int group = 0; group < groups; group++) {
            assertThat(of("g" + group)).as("group g%s", group).containsExactlyInAnyOrderElementsOf(sent);
        }
    }

    /** Every group's messages succeeded in the order in which they were sent, none twice. */
    void assertEachGroupInOrderOnce(int groups, int each) {
        List<Integer> sent = IntStream.range(0, each).boxed().toList();
        for (int group = 0; group < groups; group++) {
            assertThat(of("g" + group)).as("group g%s", group).isEqualTo(sent);
        }
    }
}
