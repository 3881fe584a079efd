/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client.sdk.http;

import io.github.batchsqs.support.Check;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.function.Function;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpConfigurationOption;
import software.amazon.awssdk.utils.AttributeMap;

/**
 * Ends the calls of another HTTP client that last too long, in place of its socket timeout, which this class turns off.
 *
 * <p>With a socket timeout each read on a virtual thread is a timed wait, whose timer costs more CPU time than the read. Here one
 * thread looks at all calls in flight, once a second, and closes the connection of each that is late. So a call ends up to a
 * second after its limit. Both limits hold from the start of the call, with the opening of its connection and the TLS handshake, to
 * the end of the response's body. Each part of the request's body that the other client reads is progress of the call, too.
 *
 * <p>A call that was ended fails with a {@link java.net.SocketTimeoutException}, as one that the socket timeout ends. A response
 * whose body is neither read to its end nor closed counts as a call in flight. Safe for use by any thread.
 */
public final class DeadlineHttpClient implements SdkHttpClient {

    private static final AttributeMap NO_SOCKET_TIMEOUT = AttributeMap.builder()
            .put(SdkHttpConfigurationOption.READ_TIMEOUT, Duration.ZERO)
            .build();

    private final SdkHttpClient http;
    private final DeadlineWatch watch;

    /**
     * Builds a client and wraps it.
     *
     * @param http builds the client that makes the calls, from its defaults; it is closed with this one, and must set no socket
     *     timeout
     * @param defaults of the service that is called
     * @param idle how long a call may last without a byte of the response or a part of the request, at least 10 ms
     * @param total how long a call may last, at least {@code idle}
     */
    public DeadlineHttpClient(
            Function<AttributeMap, SdkHttpClient> http, AttributeMap defaults, Duration idle, Duration total) {
        Check.that(
                idle.compareTo(DeadlineWatch.SHORTEST) >= 0,
                "idle",
                "must be at least " + Check.text(DeadlineWatch.SHORTEST),
                idle,
                "set a longer one");
        Check.that(total.compareTo(idle) >= 0, "total", "must be at least idle", total, "set a longer one");
        this.http = http.apply(NO_SOCKET_TIMEOUT.merge(defaults));
        this.watch = new DeadlineWatch(idle, total, TimeSource.system(), DeadlineThreads::watch);
    }

    DeadlineHttpClient(SdkHttpClient http, DeadlineWatch watch) {
        this.http = http;
        this.watch = watch;
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
        return DeadlineRequest.of(http, request, watch);
    }

    @Override
    public String clientName() {
        return http.clientName();
    }

    @Override
    public void close() {
        watch.close();
        http.close();
    }
}
