/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.options;

import io.github.batchsqs.errors.InvalidOptionException;
import java.util.Locale;

/** Names of settings in errors, and of listeners in settings. */
final class Keys {

    private Keys() {}

    /** Returns the same error with the full key. */
    static InvalidOptionException renamed(InvalidOptionException broken, String key) {
        var renamed = new InvalidOptionException(key, broken.rule(), broken.value(), broken.remedy());
        renamed.initCause(broken);
        return renamed;
    }

    /** Returns whether a key under {@code batchsqs.listeners} matches the id; like Boot, compares only letters and digits. */
    static boolean same(String key, String id) {
        return uniform(key).equals(uniform(id));
    }

    private static String uniform(String name) {
        return name.replaceAll("[^\\p{Alnum}]", "").toLowerCase(Locale.ROOT);
    }
}
