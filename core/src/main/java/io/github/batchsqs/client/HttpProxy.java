/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP proxy through which calls reach their hosts. Calls by HTTPS are tunnelled.
 *
 * @param host the proxy's host
 * @param port the proxy's port
 * @param user the user, or {@code null} for none
 * @param password the password of the user
 * @param directHosts regular expressions of hosts that are called without the proxy
 */
public record HttpProxy(
        String host,
        int port,
        @Nullable String user,
        @Nullable String password,
        Set<String> directHosts) {

    /** Copies the hosts. */
    public HttpProxy {
        directHosts = Set.copyOf(directHosts);
    }

    /** Contains the address, never the password. */
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
