/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client;

/**
 * A queue that was found.
 *
 * @param name its name; decides by its {@code .fifo} suffix whether messages are ordered
 * @param url its URL, as calls need it
 */
public record Queue(String name, String url) {

    /**
     * {@return whether the queue orders messages by group} As in SQS, the suffix {@code .fifo} of the name alone
     * decides.
     */
    public boolean fifo() {
        return name.endsWith(".fifo");
    }
}
