/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The simulated SQS on a port of 127.0.0.1, and on a second one with TLS. One thread does everything, so that the server takes at most one core and its
 * state needs no locks.
 */
public final class Simulator implements AutoCloseable {

    private static final int MOST_BYTES = 8 << 20;
    private static final int BACKLOG = 4096;
    private static final long TICK_MILLIS = 20;

    /** Hundreds of handshakes at once take longer on a busy machine than the ten seconds that are Netty's default. */
    private static final long HANDSHAKE_MILLIS = 120_000;

    private final EventLoopGroup loop;
    private final Channel channel;
    private final @Nullable Channel tls;

    private Simulator(EventLoopGroup loop, Channel channel, @Nullable Channel tls) {
        this.loop = loop;
        this.channel = channel;
        this.tls = tls;
    }

    /**
     * Starts one without TLS.
     *
     * @param port the port, or 0 for a free one
     */
    public static Simulator start(int port) throws InterruptedException {
        return listening(port, null);
    }

    /**
     * Starts one that listens to a second port, a free one, with TLS 1.3.
     *
     * @param port the port without TLS, or 0 for a free one
     * @param certificate the certificate of the second port
     */
    public static Simulator start(int port, SelfSigned certificate)
            throws InterruptedException, IOException, GeneralSecurityException {
        return listening(port, certificate.server());
    }

    private static Simulator listening(int port, @Nullable SslContext certified) throws InterruptedException {
        IoHandlerFactory io = Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, io);
        World world = new World();
        Channel channel = bind(loop, world, port, null);
        Channel tls = certified == null ? null : bind(loop, world, 0, certified);
        Future<?> unused = loop.scheduleAtFixedRate(
                () -> world.queues.tick(Queues.now()), TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
        Future<?> unusedToo = loop.submit(() -> world.counters.reset(""));
        return new Simulator(loop, channel, tls);
    }

    private static Channel bind(EventLoopGroup loop, World world, int port, @Nullable SslContext tls)
            throws InterruptedException {
        Operations operations = new Operations(world);
        Control control = new Control(world);
        return new ServerBootstrap()
                .group(loop)
                .channel(Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel connection) {
                        ChannelPipeline pipeline = connection.pipeline();
                        if (tls != null) {
                            SslHandler handler = tls.newHandler(connection.alloc());
                            handler.setHandshakeTimeoutMillis(HANDSHAKE_MILLIS);
                            pipeline.addLast(handler);
                        }
                        pipeline.addLast(
                                new HttpServerCodec(),
                                new HttpObjectAggregator(MOST_BYTES),
                                new SqsHandler(world, operations, control, tls == null ? "http" : "https"));
                    }
                })
                .bind("127.0.0.1", port)
                .sync()
                .channel();
    }

    /** Where it listens. */
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + port(channel));
    }

    /** Where it listens with TLS. */
    public URI tlsEndpoint() {
        return URI.create("https://127.0.0.1:" + port(Objects.requireNonNull(tls, "It was started without TLS")));
    }

    private static int port(Channel channel) {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    /** Blocks until it is closed. */
    public void awaitClosed() throws InterruptedException {
        channel.closeFuture().sync();
    }

    @Override
    public void close() {
        Future<?> unused = channel.close();
        if (tls != null) {
            Future<?> unusedTls = tls.close();
        }
        Future<?> unusedToo = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
