/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import io.github.batchsqs.receive.ListenerContainer;
import java.util.Map;

/** Says which settings are in force, and where each came from. Safe for use by any thread. */
@FunctionalInterface
public interface ListenerSettingsReport {

    /** The settings of the container by their keys without prefix, in the order of the documentation. */
    Map<String, Setting> of(ListenerContainer container);

    /**
     * A setting.
     *
     * @param value the value in force, as it would be written
     * @param from where it came from: {@code default}, the key as the user wrote it, the annotation, a customizer's
     *     class, {@code code}, or {@code changed at run time}
     */
    record Setting(String value, String from) {}
}
