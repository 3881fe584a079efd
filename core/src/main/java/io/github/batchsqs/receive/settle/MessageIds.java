/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.settle;

import io.github.batchsqs.receive.fetch.Delivery;
import java.util.List;
import java.util.stream.Collectors;

/** How a line of the log names messages: all of a few, the first of many. */
final class MessageIds {

    private static final int MOST = 10;

    private MessageIds() {}

    static String of(List<Delivery> deliveries) {
        String ids = deliveries.stream()
                .limit(MOST)
                .map(delivery -> delivery.message().id())
                .collect(Collectors.joining(", "));
        if (deliveries.size() == 1) {
            return "message " + ids;
        }
        return deliveries.size() + " messages (" + ids + (deliveries.size() > MOST ? ", …" : "") + ")";
    }
}
