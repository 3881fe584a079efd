/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client;

/**
 * A queue that was found.
 *
 * @param name its name; decides by its {@code .fifo} suffix whether messages are ordered
 * @param url its URL, as calls need it
 */
public record Queue(String name, String url) {

    /** Whether the queue orders messages by group: by the suffix alone, as SQS has it. */
    public boolean fifo() {
        return name.endsWith(".fifo");
    }
}
