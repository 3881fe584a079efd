/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.internal.receive.delivery.MessageMemory;
import io.github.batchsqs.internal.support.Check;

/**
 * The memory for messages in flight that listeners share: those that were received and are not settled yet. Listeners receive more
 * only while there is room. Safe for use by any thread.
 */
public final class ListenerMemory {

    private static final int HEAP_SHARE = 8;
    private static final long LEAST = 1 << 20;

    private final MessageMemory messages;

    ListenerMemory(MessageMemory messages) {
        this.messages = messages;
    }

    /**
     * Creates the memory for the listeners of an application.
     *
     * @param bytes the maximum size of all messages in flight together, at least 1 MiB
     * @return the memory
     * @throws InvalidOptionException if it is less
     */
    public static ListenerMemory of(long bytes) {
        Check.that(
                bytes >= LEAST,
                "batchsqs.in-flight-bytes",
                "must be at least " + Check.bytes(LEAST),
                Check.bytes(bytes),
                "set a higher value, or remove the key for an eighth of the heap");
        return new ListenerMemory(new MessageMemory(bytes));
    }

    /** {@return memory of an eighth of the maximum heap} */
    public static ListenerMemory ofHeap() {
        return new ListenerMemory(
                new MessageMemory(Math.max(LEAST, Runtime.getRuntime().maxMemory() / HEAP_SHARE)));
    }

    /** {@return memory without a limit: only the number of messages limits what listeners hold} */
    public static ListenerMemory unlimited() {
        return new ListenerMemory(MessageMemory.unlimited());
    }

    /** {@return the maximum size of all messages in flight together, in bytes} */
    public long bytes() {
        return messages.max();
    }

    MessageMemory messages() {
        return messages;
    }
}
