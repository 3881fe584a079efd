/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

/** What each message of a batch of the engine also is. */
public interface Leased {

    /** Returns whether the message has no lease now. A second receive brings a new one, after which the handler may run. */
    boolean isLeaseLost();
}
