/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import io.github.batchsqs.InvalidOptionException;
import java.util.Locale;

/** Names: of settings in errors, and of listeners in settings. */
final class Keys {

    private Keys() {}

    /** The same error about the key under its full name. */
    static InvalidOptionException renamed(InvalidOptionException broken, String key) {
        var renamed = new InvalidOptionException(key, broken.rule(), broken.value(), broken.remedy());
        renamed.initCause(broken);
        return renamed;
    }

    /** Whether a key under {@code batchsqs.listeners} means this id: as Boot compares, letters and digits count alone. */
    static boolean same(String key, String id) {
        return uniform(key).equals(uniform(id));
    }

    private static String uniform(String name) {
        return name.replaceAll("[^\\p{Alnum}]", "").toLowerCase(Locale.ROOT);
    }

    /** The name of a queue that is given by name, URL or ARN. */
    static String queueName(String queue) {
        return queue.substring(Math.max(queue.lastIndexOf('/'), queue.lastIndexOf(':')) + 1);
    }

    /** The name of a queue as a part of an id. */
    static String idOf(String queue) {
        return queueName(queue).replaceAll("[^\\p{Alnum}_-]", "-");
    }
}
