/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.orders;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * The order service's way in: {@code POST /orders} with an order as JSON, or without a body and with {@code ?count=100} for
 * that many random ones. {@code GET /orders} tells how many were handled.
 *
 * <p>The answer comes when the orders are in the outbox: whether SQS answers now or not, none that was answered is lost
 * while the process runs, or with a database that outlives it.
 */
@RestController
@RequestMapping("/orders")
class OrderController {

    private static final int MOST_AT_ONCE = 100_000;

    private final OrderSender sender;
    private final OrderListener listener;

    OrderController(OrderSender sender, OrderListener listener) {
        this.sender = sender;
        this.listener = listener;
    }

    @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
    @ResponseStatus(HttpStatus.ACCEPTED)
    Map<String, Long> place(@Valid @RequestBody NewOrder order) {
        return Map.of("number", sender.place(order));
    }

    @PostMapping
    @ResponseStatus(HttpStatus.ACCEPTED)
    Map<String, Integer> placeRandom(@RequestParam(defaultValue = "1") @Min(1) @Max(MOST_AT_ONCE) int count) {
        sender.placeRandom(count);
        return Map.of("placed", count);
    }

    @GetMapping
    Map<String, Long> handled() {
        return Map.of("handled", listener.handled(), "cents", listener.cents());
    }
}
