/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.options;

import io.github.batchsqs.listener.ListenerOptions;

/**
 * Changes the options of annotated listeners, after all settings. Beans of this type are called at start, in their order,
 * once for each container.
 */
@FunctionalInterface
public interface ListenerOptionsCustomizer {

    /**
     * {@return the options to use, for example from {@link ListenerOptions#toBuilder()}, or the given options to change
     * nothing} The id must not change.
     *
     * @param options the options from the annotation and the settings
     */
    ListenerOptions customize(ListenerOptions options);
}
