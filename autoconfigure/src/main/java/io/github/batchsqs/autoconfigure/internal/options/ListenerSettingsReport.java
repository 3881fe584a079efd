/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.options;

import io.github.batchsqs.receive.ListenerContainer;
import java.util.Map;

/** Reports the current settings of listeners and their origins. Safe for use by any thread. */
@FunctionalInterface
public interface ListenerSettingsReport {

    /**
     * {@return the settings of the container by their keys without prefix}
     *
     * @param container a container of the application
     */
    Map<String, Setting> of(ListenerContainer container);

    /**
     * A setting.
     *
     * @param value the current value, as it is written in settings
     * @param from its origin: {@code default}, the key as the user wrote it, the annotation, a customizer's
     *     class, {@code code}, or {@code changed at run time}
     */
    record Setting(String value, String from) {}
}
