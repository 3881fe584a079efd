/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.orders;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The part of the order service that can be broken and repaired: a broken one fails at every voucher. */
@Component
public class Vouchers {

    private volatile boolean broken;

    /** From now on an order with a voucher fails. */
    public void breakDown() {
        broken = true;
    }

    /** From now on all orders are handled. */
    public void repair() {
        broken = false;
    }

    void redeem(@Nullable String voucher) {
        if (voucher != null && broken) {
            throw new IllegalStateException("The voucher " + voucher + " cannot be redeemed");
        }
    }
}
