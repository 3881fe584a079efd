/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import io.github.batchsqs.internal.receive.delivery.Delivery;
import java.util.List;
import java.util.stream.Collectors;

/** Names messages in a line of the log: all ids of up to ten messages, else the first ten. */
final class MessageIds {

    private static final int MAX = 10;

    private MessageIds() {}

    static String of(List<Delivery> deliveries) {
        String ids = deliveries.stream()
                .limit(MAX)
                .map(delivery -> delivery.message().id())
                .collect(Collectors.joining(", "));
        if (deliveries.size() == 1) {
            return "message " + ids;
        }
        return deliveries.size() + " messages (" + ids + (deliveries.size() > MAX ? ", …" : "") + ")";
    }
}
