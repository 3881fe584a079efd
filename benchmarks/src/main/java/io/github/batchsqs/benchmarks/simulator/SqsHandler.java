/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One connection: each call takes its latency, half before it is executed and half before its response leaves. */
final class SqsHandler extends SimpleChannelInboundHandler<FullHttpRequest> {

    private static final AsciiString TARGET = AsciiString.cached("x-amz-target");
    private static final AsciiString REQUEST_ID = AsciiString.cached("x-amzn-requestid");
    private static final AsciiString DATE = AsciiString.cached("x-amz-date");
    private static final AsciiString QUERY_ERROR = AsciiString.cached("x-amzn-query-error");
    private static final AsciiString AWS_JSON = AsciiString.cached("application/x-amz-json-1.0");
    private static final AsciiString SOME_ID = AsciiString.cached("5d1c2f3e-8a7b-5c6d-9e0f-1a2b3c4d5e6f");

    private static final DateTimeFormatter SIGNED_AT = DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmssX", Locale.ROOT);
    private static final DateTimeFormatter RFC_1123 = DateTimeFormatter.RFC_1123_DATE_TIME.withZone(ZoneOffset.UTC);

    private static final long TICK_NANOS = 500_000;

    private final World world;
    private final Operations operations;
    private final Control control;
    private final String scheme;
    private boolean first = true;
    private @Nullable Operation open;

    SqsHandler(World world, Operations operations, Control control, String scheme) {
        this.world = world;
        this.operations = operations;
        this.control = control;
        this.scheme = scheme;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
        if (request.uri().startsWith(Control.PATH)) {
            control.handle(ctx, request.uri());
            return;
        }
        Operation operation = Operation.byTarget(request.headers().get(TARGET));
        Call call = new Call(ctx, scheme + "://" + request.headers().get(HttpHeaderNames.HOST, ""));
        call.keepAlive = HttpUtil.isKeepAlive(request);
        call.latency = world.conditions.draw(world.random);
        if (operation == null) {
            call.failed(SqsError.sender("InvalidAction", "There is no such action here"));
            return;
        }
        if (expired(request.headers().get(DATE))) {
            call.failed(SqsError.forbidden("InvalidSignatureException", "Signature expired: it is too old or too new"));
            return;
        }
        world.counters.opened(operation);
        open = operation;
        long before = call.latency / 2;
        if (first) {
            first = false;
            world.counters.connected();
            before += world.conditions.connectMicros();
        }
        byte[] body = ByteBufUtil.getBytes(request.content());
        after(ctx, before, () -> operations.execute(operation, body, call));
    }

    /** Whether the date of a signature is too far from the time of this machine. */
    private boolean expired(@Nullable String date) {
        long limit = world.queues.quotas().clockSkewSeconds();
        return limit > 0
                && date != null
                && Math.abs(Duration.between(Instant.from(SIGNED_AT.parse(date)), Instant.now())
                                .toSeconds())
                        > limit;
    }

    /** A call that was aborted is open no more. */
    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        responded();
        ctx.fireChannelInactive();
    }

    /** A call is open until its response leaves. */
    private void responded() {
        if (open != null) {
            world.counters.responded(open);
            open = null;
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ChannelFuture unused = ctx.close();
    }

    /** Rounds to the nearest tick, so that one wake-up serves all that is due at about the same time. */
    private static void after(ChannelHandlerContext ctx, long micros, Runnable task) {
        if (micros <= 0) {
            task.run();
            return;
        }
        long now = System.nanoTime();
        long due = Math.floorDiv(now + micros * 1_000 + TICK_NANOS / 2, TICK_NANOS) * TICK_NANOS;
        Future<?> unused = ctx.executor().schedule(task, Math.max(0, due - now), TimeUnit.NANOSECONDS);
    }

    /** One request that waits for its response. */
    private final class Call implements Reply {

        private final ChannelHandlerContext ctx;
        private final String address;
        private boolean keepAlive = true;
        private long latency;

        Call(ChannelHandlerContext ctx, String address) {
            this.ctx = ctx;
            this.address = address;
        }

        @Override
        public ByteBufAllocator allocator() {
            return ctx.alloc();
        }

        @Override
        public String address() {
            return address;
        }

        @Override
        public boolean open() {
            return ctx.channel().isActive();
        }

        @Override
        public void ok(ByteBuf body) {
            respond(response(HttpResponseStatus.OK, body));
        }

        @Override
        public void failed(SqsError error) {
            JsonText out = new JsonText(ctx.alloc().buffer());
            out.raw("{").field("__type", "com.amazonaws.sqs#" + error.shape());
            out.field("message", String.valueOf(error.getMessage())).raw("}");
            DefaultFullHttpResponse response = response(HttpResponseStatus.valueOf(error.status()), out.buffer());
            response.headers().set(HttpHeaderNames.DATE, RFC_1123.format(Instant.now()));
            response.headers().set(QUERY_ERROR, error.code() + (error.senderFault() ? ";Sender" : ";Receiver"));
            respond(response);
        }

        private DefaultFullHttpResponse response(HttpResponseStatus status, ByteBuf body) {
            DefaultFullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body);
            response.headers()
                    .set(HttpHeaderNames.CONTENT_TYPE, AWS_JSON)
                    .set(REQUEST_ID, SOME_ID)
                    .setInt(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
            return response;
        }

        private void respond(DefaultFullHttpResponse response) {
            after(ctx, latency - latency / 2, () -> {
                responded();
                ChannelFuture written = ctx.writeAndFlush(response);
                if (!keepAlive) {
                    ChannelFuture unused = written.addListener(ChannelFutureListener.CLOSE);
                }
            });
        }
    }
}
