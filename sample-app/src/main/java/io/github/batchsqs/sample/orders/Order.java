/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.orders;

import org.jspecify.annotations.Nullable;

/**
 * An order, as it travels through the queue.
 *
 * @param number unique
 * @param parcel whether there is something to ship; the rest is downloads
 * @param voucher its code, or {@code null} without one
 */
public record Order(
        long number,
        String customer,
        int cents,
        boolean parcel,
        @Nullable String voucher) {}
