/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** The destination of the response to one request; used once. */
interface Reply {

    /** Where its body comes from. */
    ByteBufAllocator allocator();

    /** The scheme, host and port that the asker used. */
    String address();

    /** Whether the asker is still there. */
    boolean open();

    void ok(ByteBuf body);

    void failed(SqsError error);
}
