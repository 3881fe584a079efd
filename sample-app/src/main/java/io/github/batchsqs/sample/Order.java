/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample;

import java.util.random.RandomGenerator;

/** An order, as it travels through the queue. */
public record Order(long number, String customer, int cents) {

    private static final int CUSTOMERS = 100;
    private static final int MOST_CENTS = 50_000;

    static Order random(long number, RandomGenerator random) {
        return new Order(number, "customer-" + random.nextInt(CUSTOMERS), 1 + random.nextInt(MOST_CENTS));
    }
}
