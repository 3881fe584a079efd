/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.sender;

import io.github.batchsqs.send.SenderOptions;

/** Changes the options of the template, after the settings. Beans of this type are called at start, in their order. */
@FunctionalInterface
public interface SenderOptionsCustomizer {

    /**
     * {@return the options to use, for example from {@link SenderOptions#toBuilder()}, or the given options to change
     * nothing}
     *
     * @param options the options from the settings
     */
    SenderOptions customize(SenderOptions options);
}
