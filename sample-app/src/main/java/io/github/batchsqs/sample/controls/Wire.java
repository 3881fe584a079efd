/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.controls;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The network between the SQS client and the embedded server: passes bytes on, and can be cut.
 *
 * <p>While it is cut, open connections are reset, with whatever calls and answers were under way, and new ones are reset at
 * once. The server does not know: what it received before it has done, as in a real outage.
 */
final class Wire implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Wire.class);

    private static final int BACKLOG = 1_024;

    private final InetSocketAddress server;
    private final ServerSocket entrance;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean cut;

    Wire(URI server) {
        this.server = new InetSocketAddress(server.getHost(), server.getPort());
        try {
            this.entrance = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException("The sample cannot listen on " + InetAddress.getLoopbackAddress(), e);
        }
    }

    /** Lets connections through from now on. */
    void open() {
        Thread.ofVirtual().name("wire-entrance").start(this::accept);
    }

    /** What clients connect to instead of the server. */
    URI endpoint() {
        return URI.create("http://" + entrance.getInetAddress().getHostAddress() + ":" + entrance.getLocalPort());
    }

    /** Cuts it until {@link #mend}. */
    void cut() {
        cut = true;
        open.forEach(Wire::reset);
    }

    /** New connections pass again. */
    void mend() {
        cut = false;
    }

    @Override
    public void close() throws IOException {
        entrance.close();
        open.forEach(Wire::reset);
    }

    private void accept() {
        while (!entrance.isClosed()) {
            try {
                Socket client = entrance.accept();
                open.add(client);
                Thread.ofVirtual().name("wire").start(() -> connect(client));
            } catch (IOException e) {
                if (!entrance.isClosed()) {
                    log.warn("A connection to the embedded server was not accepted", e);
                }
            }
        }
    }

    private void connect(Socket client) {
        Socket upstream = new Socket();
        open.add(upstream);
        try (client;
                upstream) {
            if (cut) { // asked after both were added, so that no cut misses them
                reset(client);
                return;
            }
            client.setTcpNoDelay(true);
            upstream.setTcpNoDelay(true);
            upstream.connect(server);
            Thread requests = Thread.ofVirtual().name("wire-requests").start(() -> pass(client, upstream));
            pass(upstream, client);
            requests.join();
        } catch (IOException e) {
            log.debug("The embedded server did not take a connection", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(client);
            open.remove(upstream);
        }
    }

    /** Passes bytes on until one side ends, which ends the other. */
    private static void pass(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            log.trace("A connection to the embedded server broke off", e);
        }
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            log.debug("A connection was closed before it was cut", e);
        }
    }
}
