/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.orders;

import io.github.batchsqs.sample.settings.SampleProperties;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** People who look at the shop and place a few orders now and then, so that there is always something to see. */
@Component
public class Visitors {

    private static final long EVERY_MILLIS = 700;
    private static final int MAX_ORDERS = 4;

    private final OrderSender sender;
    private volatile boolean here;

    Visitors(OrderSender sender, SampleProperties properties) {
        this.sender = sender;
        this.here = properties.visitors();
    }

    /** Returns whether they are in the shop. */
    public boolean here() {
        return here;
    }

    /** Lets them in, or sends them home. */
    public void here(boolean now) {
        here = now;
    }

    @Scheduled(fixedDelay = EVERY_MILLIS, initialDelay = EVERY_MILLIS)
    void order() {
        if (here) {
            sender.placeRandom(1 + ThreadLocalRandom.current().nextInt(MAX_ORDERS));
        }
    }
}
