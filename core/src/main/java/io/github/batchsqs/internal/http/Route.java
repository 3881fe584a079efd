/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.http;

import io.github.batchsqs.client.HttpClientOptions.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.SdkHttpRequest;

/**
 * Where connections lead.
 *
 * @param secure whether by TLS
 * @param proxy the proxy on the way, or {@code null} for none
 */
record Route(
        boolean secure, String host, int port, @Nullable Proxy proxy) {

    boolean isOf(SdkHttpRequest request) {
        return port == request.port()
                && host.equals(request.host())
                && secure == request.protocol().equals("https");
    }

    /** Returns the header with the proxy's user, or nothing. */
    String authorization() {
        if (proxy == null || proxy.user() == null) {
            return "";
        }
        String user = proxy.user() + ":" + (proxy.password() == null ? "" : proxy.password());
        return "Proxy-Authorization: Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8))
                + "\r\n";
    }

    /** Returns the address of this route, with the port if it is not the usual one. */
    String address() {
        return port == (secure ? 443 : 80) ? host : host + ":" + port;
    }
}
