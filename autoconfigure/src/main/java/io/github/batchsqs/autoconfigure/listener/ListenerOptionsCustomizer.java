/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import io.github.batchsqs.receive.ListenerOptions;

/**
 * Changes the options of annotated listeners, after all settings. Beans of this type are called at start, in their order,
 * once for each container.
 */
@FunctionalInterface
public interface ListenerOptionsCustomizer {

    /**
     * Returns the options to use, made for example with {@link ListenerOptions#toBuilder()}; the same ones to change
     * nothing. The id must stay.
     */
    ListenerOptions customize(ListenerOptions options);
}
