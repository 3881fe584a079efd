/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client;

import io.github.batchsqs.internal.support.Check;
import java.time.Duration;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How the HTTP client of BatchSQS connects. A bean of this type applies to the clients that the auto-configuration builds.
 *
 * @param connectTimeout how long a connection to one address may take; 5 s unless set
 * @param timeToLive when a busy connection is replaced, so that the host is looked up again; 5 minutes unless set
 * @param maxConnections the most connections of a client; 10,000 unless set, out of reach on purpose, because listeners and
 *     senders limit their own calls
 * @param sslContext makes the TLS connections; {@code null} for the platform's certificates and {@code javax.net.ssl.*}
 * @param proxy through which calls go; {@code null} for that of the system properties and the environment, if there is one
 */
public record HttpClientOptions(
        Duration connectTimeout,
        Duration timeToLive,
        int maxConnections,
        @Nullable SSLContext sslContext,
        @Nullable Proxy proxy) {

    /**
     * Checks the values.
     *
     * @throws io.github.batchsqs.errors.InvalidOptionException if a value breaks its rule
     */
    public HttpClientOptions {
        Check.range("connect-timeout", connectTimeout, Duration.ofMillis(10), Duration.ofMinutes(1));
        Check.range("time-to-live", timeToLive, Duration.ofSeconds(1), Duration.ofDays(1));
        Check.range("max-connections", maxConnections, 1, 100_000);
    }

    /** {@return the defaults} */
    public static HttpClientOptions defaults() {
        return new HttpClientOptions(Duration.ofSeconds(5), Duration.ofMinutes(5), 10_000, null, null);
    }

    /**
     * {@return these options with another connect timeout}
     *
     * @param value how long a connection to one address may take, 10 ms to 1 minute
     */
    public HttpClientOptions withConnectTimeout(Duration value) {
        return new HttpClientOptions(value, timeToLive, maxConnections, sslContext, proxy);
    }

    /**
     * {@return these options with another time to live}
     *
     * @param value when a busy connection is replaced, 1 s to 1 day
     */
    public HttpClientOptions withTimeToLive(Duration value) {
        return new HttpClientOptions(connectTimeout, value, maxConnections, sslContext, proxy);
    }

    /**
     * {@return these options with another maximum of connections}
     *
     * @param value the most connections of a client, 1 to 100,000
     */
    public HttpClientOptions withMaxConnections(int value) {
        return new HttpClientOptions(connectTimeout, timeToLive, value, sslContext, proxy);
    }

    /**
     * {@return these options with another SSL context}
     *
     * @param value makes the TLS connections
     */
    public HttpClientOptions withSslContext(SSLContext value) {
        return new HttpClientOptions(connectTimeout, timeToLive, maxConnections, value, proxy);
    }

    /**
     * {@return these options with another proxy}
     *
     * @param value through which calls go
     */
    public HttpClientOptions withProxy(Proxy value) {
        return new HttpClientOptions(connectTimeout, timeToLive, maxConnections, sslContext, value);
    }

    /**
     * The HTTP proxy through which calls reach their hosts. Calls by HTTPS are tunnelled.
     *
     * @param host the proxy's host
     * @param port the proxy's port
     * @param user the user, or {@code null} for none
     * @param password the password of the user
     * @param directHosts regular expressions of hosts that are called without the proxy
     */
    public record Proxy(
            String host,
            int port,
            @Nullable String user,
            @Nullable String password,
            Set<String> directHosts) {

        /** Copies the hosts. */
        public Proxy {
            directHosts = Set.copyOf(directHosts);
        }

        /** Contains the address, never the password. */
        @Override
        public String toString() {
            return host + ":" + port;
        }
    }
}
