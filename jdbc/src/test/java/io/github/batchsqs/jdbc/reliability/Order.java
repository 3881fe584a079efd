/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.reliability;

/**
 * What the messages contain.
 *
 * @param orderId the business key
 * @param amount what is added to the total of its account
 */
record Order(int orderId, int amount) {

    static final int ACCOUNTS = 10;

    int account() {
        return orderId % ACCOUNTS;
    }

    String json() {
        return "{\"orderId\":%d,\"amount\":%d}".formatted(orderId, amount);
    }
}
