/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.options;

import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.internal.client.QueueClient;
import java.util.Set;
import java.util.TreeSet;

/** Checks the names of clients. */
public final class ClientNames {

    private ClientNames() {}

    /**
     * Throws if there is no client of this name.
     *
     * @param named the clients of {@code batchsqs.clients}
     * @throws InvalidOptionException about the option {@code client}
     */
    public static void require(String name, Set<String> named) {
        if (name.equals(QueueClient.DEFAULT_NAME) || named.contains(name)) {
            return;
        }
        var known = new TreeSet<>(named);
        String similar = SimilarIds.of(name, known);
        throw new InvalidOptionException(
                "client",
                known.isEmpty()
                        ? "must be " + QueueClient.DEFAULT_NAME + " while batchsqs.clients has no client"
                        : "must be " + QueueClient.DEFAULT_NAME + " or a client of batchsqs.clients ("
                                + String.join(", ", known) + ")",
                name,
                (similar == null ? "" : "write " + similar + ", or ") + "define the client with batchsqs.clients."
                        + name + ".region or another key");
    }
}
