/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.extension.Extension;
import org.slf4j.LoggerFactory;

/**
 * Initializes SLF4J before the first test. If tests that run beside one another do so, a class that asks for its logger at the
 * very end of the initialization gets one that drops everything as long as the JVM lives.
 */
public final class EarlyLog implements Extension {

    private static final AtomicBoolean MADE = new AtomicBoolean();

    /** Called by JUnit once, before it starts the threads of tests. */
    public EarlyLog() {
        var ignored = LoggerFactory.getILoggerFactory();
        MADE.set(true);
    }

    static boolean made() {
        return MADE.get();
    }
}
