/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import java.time.Duration;

/** How long a send may still wait for its queue and for room in the buffer; the messages of a transaction share one. */
final class Patience {

    private long leftNanos;

    Patience(Duration maxBlock) {
        this.leftNanos = maxBlock.toNanos();
    }

    long leftNanos() {
        return leftNanos;
    }

    void waited(long nanos) {
        leftNanos = Math.max(0, leftNanos - nanos);
    }
}
