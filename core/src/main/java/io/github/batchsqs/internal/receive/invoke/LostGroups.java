/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

/** The groups of which nothing may start here for now. Called on the thread of the invocation. */
public interface LostGroups {

    /**
     * Returns whether a message ahead of what runs of the group was lost or returned manually, so that nothing of it may start
     * here.
     */
    boolean lost(String group);
}
