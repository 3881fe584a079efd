/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ServerSocketFactory;

/** A server on the loopback address that holds a conversation with each connection, on a thread of its own, until it is closed. */
public final class ConnectionServer implements AutoCloseable {

    /** What is said on a connection, which is closed afterwards. */
    @FunctionalInterface
    public interface Conversation {

        /** Reads and writes; a failure is the client's, which has closed the connection. */
        void hold(Socket socket) throws IOException;
    }

    private final ServerSocket server;
    private final Conversation conversation;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Socket> open = new CopyOnWriteArrayList<>();

    /** Starts a server on a free port. */
    public ConnectionServer(Conversation conversation) {
        this(ServerSocketFactory.getDefault(), conversation);
    }

    /** Starts a server on a free port of these sockets. */
    public ConnectionServer(ServerSocketFactory sockets, Conversation conversation) {
        this.conversation = conversation;
        try {
            server = sockets.createServerSocket(0, 100, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.execute(this::accept);
    }

    /** Returns its port. */
    public int port() {
        return server.getLocalPort();
    }

    @Override
    public void close() {
        try {
            server.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.shutdownNow();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                open.add(socket);
                threads.execute(() -> serve(socket));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            conversation.hold(socket);
        } catch (IOException e) {
            // The client has closed the connection
        } finally {
            open.remove(socket);
        }
    }
}
