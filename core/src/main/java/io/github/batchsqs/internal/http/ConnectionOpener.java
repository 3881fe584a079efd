/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.http;

import io.github.batchsqs.client.HttpClientOptions;
import io.github.batchsqs.client.HttpClientOptions.Proxy;
import io.github.batchsqs.internal.sdk.NotSentException;
import io.github.batchsqs.internal.support.Check;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import jdk.net.ExtendedSocketOptions;

/** Opens connections: look-up of the host, connect, proxy, TLS. Each socket belongs to its call from the beginning. */
final class ConnectionOpener {

    /** How many bytes of a response are read ahead. */
    private static final int AHEAD = 8_192;

    /**
     * In seconds, and a number. A long poll has nothing to send for 20 s: a network that drops its packets without a word would keep it
     * waiting for its whole time. With these it ends after 11 s.
     */
    private static final Map<SocketOption<Integer>, Integer> KEEP_ALIVE = Map.of(
            ExtendedSocketOptions.TCP_KEEPIDLE, 5,
            ExtendedSocketOptions.TCP_KEEPINTERVAL, 2,
            ExtendedSocketOptions.TCP_KEEPCOUNT, 3);

    private final HttpClientOptions options;
    private final SSLContext tls;
    private final HostAddresses hosts;

    ConnectionOpener(HttpClientOptions options, HostAddresses hosts) {
        this.options = options;
        this.hosts = hosts;
        try {
            SSLContext own = options.sslContext();
            this.tls = own == null ? SSLContext.getDefault() : own;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    HttpConnection open(CallDeadline call, Route route) throws IOException {
        Proxy proxy = route.proxy();
        String host = proxy == null ? route.host() : proxy.host();
        int port = proxy == null ? route.port() : proxy.port();
        IOException last = null;
        for (InetAddress address : hosts.of(host, call.nanosLeft())) {
            try {
                return connected(call, route, new InetSocketAddress(address, port));
            } catch (NotSentException e) {
                last = e;
                call.requireGoingOn(e);
            }
        }
        throw last == null ? new NotSentException("The host " + host + " has no address", null) : last;
    }

    private HttpConnection connected(CallDeadline call, Route route, InetSocketAddress address) throws IOException {
        SocketChannel channel = SocketChannel.open();
        boolean done = false;
        try {
            call.uses(channel);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            keepAlive(channel);
            connect(channel.socket(), address, call);
            HttpConnection connection = secured(route, channel);
            done = true;
            return connection;
        } finally {
            if (!done) {
                HttpConnection.close(channel);
            }
        }
    }

    private static void keepAlive(SocketChannel channel) throws IOException {
        if (channel.supportedOptions().containsAll(KEEP_ALIVE.keySet())) {
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            for (Map.Entry<SocketOption<Integer>, Integer> each : KEEP_ALIVE.entrySet()) {
                channel.setOption(each.getKey(), each.getValue());
            }
        }
    }

    private void connect(Socket socket, InetSocketAddress address, CallDeadline call) throws IOException {
        try {
            long left = Math.min(options.connectTimeout().toMillis(), call.nanosLeft() / 1_000_000);
            socket.connect(address, Math.clamp(left, 1, Integer.MAX_VALUE));
        } catch (SocketTimeoutException e) {
            throw new NotSentException(
                    "No connection to " + address + " within " + Check.text(options.connectTimeout()), e);
        } catch (SocketException e) {
            throw new NotSentException("Connect to " + address + " failed: " + e.getMessage(), e);
        }
    }

    private HttpConnection secured(Route route, SocketChannel channel) throws IOException {
        long endsAt = System.nanoTime() + options.timeToLive().toNanos();
        Socket socket = route.secure() ? encrypted(route, channel) : channel.socket();
        return new HttpConnection(route, channel, socket.getInputStream(), socket.getOutputStream(), endsAt, AHEAD);
    }

    private Socket encrypted(Route route, SocketChannel channel) throws IOException {
        Proxy proxy = route.proxy();
        if (proxy != null) {
            tunnel(proxy, route, channel);
        }
        SSLSocket secure =
                (SSLSocket) tls.getSocketFactory().createSocket(channel.socket(), route.host(), route.port(), true);
        SSLParameters parameters = secure.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secure.setSSLParameters(parameters);
        secure.startHandshake();
        return secure;
    }

    private static void tunnel(Proxy proxy, Route route, SocketChannel channel) throws IOException {
        Socket socket = channel.socket();
        String target = route.host() + ":" + route.port();
        String request = "CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n" + route.authorization() + "\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
        InputStream in = socket.getInputStream();
        // Byte by byte: what follows is of the handshake
        HttpConnection plain = new HttpConnection(route, channel, in, socket.getOutputStream(), 0, 1);
        ResponseHead head = ResponseHead.read(plain);
        if (head.statusCode() / 100 != 2) {
            throw new NotSentException(
                    "The proxy " + proxy + " refuses the connection to " + target + ": " + head.statusCode(), null);
        }
    }
}
