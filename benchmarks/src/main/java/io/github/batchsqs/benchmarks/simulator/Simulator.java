/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
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
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * The simulated SQS on a port of 127.0.0.1. One thread does everything, so that the server takes at most one core and its
 * state needs no locks.
 */
public final class Simulator implements AutoCloseable {

    private static final int MOST_BYTES = 8 << 20;
    private static final int BACKLOG = 4096;
    private static final long TICK_MILLIS = 20;

    private final EventLoopGroup loop;
    private final Channel channel;

    private Simulator(EventLoopGroup loop, Channel channel) {
        this.loop = loop;
        this.channel = channel;
    }

    /**
     * Starts one.
     *
     * @param port the port, or 0 for a free one
     */
    public static Simulator start(int port) throws InterruptedException {
        boolean epoll = Epoll.isAvailable();
        IoHandlerFactory io = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, io);
        World world = new World();
        Operations operations = new Operations(world);
        Control control = new Control(world);
        Channel channel = new ServerBootstrap()
                .group(loop)
                .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel connection) {
                        connection
                                .pipeline()
                                .addLast(
                                        new HttpServerCodec(),
                                        new HttpObjectAggregator(MOST_BYTES),
                                        new SqsHandler(world, operations, control));
                    }
                })
                .bind("127.0.0.1", port)
                .sync()
                .channel();
        Future<?> unused = loop.scheduleAtFixedRate(
                () -> world.queues.tick(System.currentTimeMillis()), TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
        Future<?> unusedToo = loop.submit(world.counters::reset);
        return new Simulator(loop, channel);
    }

    /** Where it listens. */
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + ((InetSocketAddress) channel.localAddress()).getPort());
    }

    /** Blocks until it is closed. */
    public void awaitClosed() throws InterruptedException {
        channel.closeFuture().sync();
    }

    @Override
    public void close() {
        Future<?> unused = channel.close();
        Future<?> unusedToo = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
