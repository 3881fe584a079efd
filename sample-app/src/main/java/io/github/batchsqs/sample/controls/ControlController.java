/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.controls;

import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.receive.ListenerContainer;
import io.github.batchsqs.receive.ListenerContainers;
import io.github.batchsqs.sample.orders.OrderSender;
import io.github.batchsqs.sample.orders.Pace;
import io.github.batchsqs.sample.orders.Visitors;
import io.github.batchsqs.sample.orders.Vouchers;
import io.github.batchsqs.sample.queues.DeadLetters;
import io.github.batchsqs.sample.race.Race;
import io.github.batchsqs.sample.stock.Arrival;
import io.github.batchsqs.sample.stock.ArrivalTopic;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * The buttons of the live page that are not orders. What cannot work now answers 409, with the reason as its
 * {@code detail}.
 */
@RestController
@RequestMapping("/controls")
class ControlController {

    private static final int POISON = 10;
    private static final String POISON_VOUCHER = "SPRING";
    private static final int REPEATED = 10;
    private static final Arrival ARRIVAL = new Arrival("teapot", 12);

    private final OrderSender orders;
    private final Vouchers vouchers;
    private final Pace pace;
    private final ArrivalTopic topic;
    private final ListenerContainers listeners;
    private final Outage outage;
    private final DeadLetters deadLetters;
    private final Visitors visitors;
    private final Race race;

    ControlController(
            OrderSender orders,
            Vouchers vouchers,
            Pace pace,
            ArrivalTopic topic,
            ListenerContainers listeners,
            Outage outage,
            DeadLetters deadLetters,
            Visitors visitors,
            Race race) {
        this.orders = orders;
        this.vouchers = vouchers;
        this.pace = pace;
        this.topic = topic;
        this.listeners = listeners;
        this.outage = outage;
        this.deadLetters = deadLetters;
        this.visitors = visitors;
        this.race = race;
    }

    /** Lets visitors place orders now and then, or sends them home. */
    @PutMapping("/visitors")
    Map<String, Boolean> visitors(@RequestParam boolean here) {
        visitors.here(here);
        return Map.of("here", here);
    }

    /** Drains the same messages with Spring Cloud AWS's listener and with this library's, in turn; takes seconds. */
    @PostMapping("/race")
    Race.Result race() throws InterruptedException {
        String impossible = race.impossible();
        if (!impossible.isEmpty()) {
            throw new NotNowException(impossible);
        }
        try {
            return race.run();
        } catch (IllegalStateException failed) {
            throw new NotNowException(String.valueOf(failed.getMessage()));
        }
    }

    /** Breaks the redeeming of vouchers, and sends orders with one: they fail until they are dead letters. */
    @PostMapping("/poison")
    Map<String, Integer> poison() {
        vouchers.breakDown();
        orders.place(POISON, POISON_VOUCHER);
        return Map.of("sent", POISON);
    }

    /** Sends orders twice: the inbox skips one of each two. */
    @PostMapping("/duplicates")
    Map<String, Integer> duplicates() {
        orders.placeTwice(REPEATED);
        return Map.of("orders", REPEATED);
    }

    /** Repairs the redeeming of vouchers, and moves the dead letters back. */
    @PostMapping("/redrive")
    Map<String, Integer> redrive() throws InterruptedException {
        int moving = deadLetters.count();
        if (moving == 0) {
            throw new NotNowException("There are no dead letters");
        }
        vouchers.repair();
        deadLetters.redrive();
        return Map.of("moving", moving);
    }

    /** Publishes goods that have arrived, in the envelope of SNS. */
    @PostMapping("/arrivals")
    Arrival arrive() {
        topic.publish(ARRIVAL);
        return ARRIVAL;
    }

    /** Makes each batch of orders take longer than its lease, or no time again. */
    @PutMapping("/pace")
    Map<String, Boolean> pace(@RequestParam boolean slow) {
        pace.slow(slow);
        return Map.of("slow", slow);
    }

    @PostMapping("/listeners/{id}/pause")
    Map<String, ContainerState> pause(@PathVariable String id) {
        ListenerContainer listener = in(id, ContainerState.RUNNING);
        listener.pause();
        return Map.of("state", listener.state());
    }

    @PostMapping("/listeners/{id}/resume")
    Map<String, ContainerState> resume(@PathVariable String id) {
        ListenerContainer listener = in(id, ContainerState.PAUSED);
        listener.resume();
        return Map.of("state", listener.state());
    }

    /** Cuts the embedded server off. */
    @PostMapping("/outage")
    Map<String, Long> outage() {
        outage.begin();
        return Map.of("seconds", outage.length().toSeconds());
    }

    private ListenerContainer in(String id, ContainerState state) {
        ListenerContainer listener = listeners
                .find(id)
                .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no listener " + id));
        if (listener.state() != state) {
            throw new NotNowException("The listener " + id + " is " + listener.state() + ", not " + state);
        }
        return listener;
    }
}
