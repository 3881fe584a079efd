/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample;

import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** {@code POST /orders?count=100} places orders; {@code GET /orders} tells how many were handled. */
@RestController
class OrderController {

    private static final int MOST_AT_ONCE = 100_000;

    private final OrderSender sender;
    private final OrderListener listener;

    OrderController(OrderSender sender, OrderListener listener) {
        this.sender = sender;
        this.listener = listener;
    }

    @PostMapping("/orders")
    Map<String, Integer> place(@RequestParam(defaultValue = "1") int count) {
        if (count < 1 || count > MOST_AT_ONCE) {
            throw new ResponseStatusException(
                    HttpStatus.BAD_REQUEST, "count must be between 1 and " + MOST_AT_ONCE + ", but is " + count);
        }
        sender.place(count);
        return Map.of("placed", count);
    }

    @GetMapping("/orders")
    Map<String, Long> handled() {
        return Map.of("handled", listener.handled(), "cents", listener.cents());
    }
}
