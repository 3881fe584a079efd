/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import java.util.Locale;

/** Where the engine catches exceptions that nobody foresees. The meters have a counter for each before the first one. */
public enum EngineStage {
    FETCH,
    HANDOFF,
    INVOKE,
    SETTLE,
    START,
    STOP;

    private final String text = name().toLowerCase(Locale.ROOT);

    /** Returns the name that the events have, and the meters' tag {@code stage}. */
    public String text() {
        return text;
    }
}
