/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.github.batchsqs.client.HttpClientOptions;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.apache5.ProxyConfiguration;

class SharedHttpClientTests {

    @Test
    void callsGoThroughAProxy() throws Exception {
        HttpServer proxy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        proxy.createContext("/", exchange -> {
            byte[] asked = exchange.getRequestURI().toString().getBytes(UTF_8);
            exchange.sendResponseHeaders(200, asked.length);
            exchange.getResponseBody().write(asked);
            exchange.close();
        });
        proxy.start();
        URI address = URI.create("http://127.0.0.1:" + proxy.getAddress().getPort());
        try (SdkHttpClient client = new SharedHttpClient(HttpClientOptions.defaults())
                .client(none().endpoint(address).build())) {
            HttpExecuteResponse response = client.prepareRequest(HttpExecuteRequest.builder()
                            .request(SdkHttpRequest.builder()
                                    .method(SdkHttpMethod.GET)
                                    .uri(URI.create("http://sqs.invalid/orders"))
                                    .build())
                            .build())
                    .call();
            try (InputStream body = response.responseBody().orElseThrow()) {
                assertThat(new String(body.readAllBytes(), UTF_8)).isEqualTo("http://sqs.invalid/orders");
            }
        } finally {
            proxy.stop(0);
        }
    }

    private static ProxyConfiguration.Builder none() {
        return ProxyConfiguration.builder().useSystemPropertyValues(false).useEnvironmentVariableValues(false);
    }
}
