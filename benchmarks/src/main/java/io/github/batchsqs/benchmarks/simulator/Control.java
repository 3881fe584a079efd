/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * What the benchmark says to the simulator, by GET: {@code conditions}, {@code quotas}, {@code create}, {@code drop}, {@code purge}, {@code reset}, {@code fill},
 * {@code trickle}, {@code await}, {@code stats} and {@code slow} (a service that takes its time), each with a query string. Responds with JSON.
 */
final class Control {

    static final String PATH = "/control/";
    private static final int FIXED_DIGITS = 16;

    /** Seconds; longer than any row, so that nothing is received twice. */
    private static final String VISIBILITY = "600";

    private final World world;

    Control(World world) {
        this.world = world;
    }

    void handle(ChannelHandlerContext ctx, String uri) {
        QueryStringDecoder decoded = new QueryStringDecoder(uri);
        Parameters parameters = new Parameters(decoded.parameters());
        switch (decoded.path().substring(PATH.length())) {
            case "conditions" -> {
                world.conditions = new Conditions(
                        parameters.number("latencyMicros", 0),
                        parameters.number("spreadMicros", 0),
                        parameters.number("connectMicros", 0),
                        parameters.chance("shortBatches"),
                        parameters.chance("throttles"),
                        parameters.chance("errors"),
                        parameters.chance("refusals"));
                respond(ctx, text(ctx).raw("{}"));
            }
            case "quotas" -> {
                world.queues.quotas(new Quotas(
                        (int) parameters.number("inFlight", Quotas.USUAL.inFlight()),
                        (int) parameters.number("fifoCalls", Quotas.USUAL.fifoCalls()),
                        (int) parameters.number("partitions", Quotas.USUAL.partitions()),
                        (int) parameters.number("clockSkewSeconds", Quotas.USUAL.clockSkewSeconds())));
                respond(ctx, text(ctx).raw("{}"));
            }
            case "create" -> {
                SimulatedQueue created = world.queues.create(parameters.text("queue"), attributes(parameters));
                respond(ctx, text(ctx).raw("{").field("queue", created.name()).raw("}"));
            }
            case "drop" -> {
                world.queues.delete(parameters.text("queue"));
                respond(ctx, text(ctx).raw("{}"));
            }
            case "purge" -> {
                world.queues.require(parameters.text("queue")).model().purge();
                respond(ctx, text(ctx).raw("{}"));
            }
            case "slow" -> {
                Future<?> unused = ctx.executor()
                        .schedule(
                                () -> respond(ctx, text(ctx).raw("{}")),
                                parameters.number("millis", 0),
                                TimeUnit.MILLISECONDS);
            }
            case "reset" -> {
                world.counters.reset(parameters.text("queue"));
                respond(ctx, text(ctx).raw("{}"));
            }
            case "fill" -> {
                fill(parameters);
                respond(ctx, text(ctx).raw("{}"));
            }
            case "trickle" -> {
                trickle(ctx, parameters);
                respond(ctx, text(ctx).raw("{}"));
            }
            case "await" -> {
                boolean deletes = parameters.number("deleted", 0) > 0;
                long target = parameters.number(deletes ? "deleted" : "sent", 0);
                World.Waiter waiter = new World.Waiter(deletes, target, () -> stats(ctx));
                world.await(waiter);
                Future<?> unused = ctx.executor()
                        .schedule(
                                () -> world.giveUp(waiter),
                                parameters.number("withinMillis", Long.MAX_VALUE / 1_000_000),
                                TimeUnit.MILLISECONDS);
            }
            case "stats" -> stats(ctx);
            default -> respond(ctx, text(ctx).raw("{").field("error", "unknown").raw("}"));
        }
    }

    private static Map<String, String> attributes(Parameters parameters) {
        Map<String, String> attributes = new HashMap<>();
        String visibility = parameters.text("visibility");
        attributes.put("VisibilityTimeout", visibility.isEmpty() ? VISIBILITY : visibility);
        if (parameters.text("queue").endsWith(".fifo")) {
            attributes.put("FifoQueue", "true");
            if (parameters.number("highThroughput", 0) > 0) {
                attributes.put("DeduplicationScope", "messageGroup");
                attributes.put("FifoThroughputLimit", "perMessageGroupId");
            }
        }
        return attributes;
    }

    private void stats(ChannelHandlerContext ctx) {
        JsonText out = text(ctx);
        world.counters.write(out);
        respond(ctx, out);
    }

    private void fill(Parameters parameters) {
        long now = Queues.now();
        SimulatedQueue queue = world.queues.require(parameters.text("queue"));
        queue.fill(
                (int) parameters.number("messages", 1),
                Trickle.stamped(body(parameters)),
                (int) parameters.number("groups", 100),
                now);
        world.counters.started();
        queue.serve(now);
    }

    /** Puts messages in one by one, evenly spread. Each body begins with the microseconds since 1970, or of the monotonic clock of this machine. */
    private void trickle(ChannelHandlerContext ctx, Parameters parameters) {
        SimulatedQueue queue = world.queues.require(parameters.text("queue"));
        long interval = 1_000_000_000L / parameters.number("perSecond", 1);
        Trickle trickle =
                new Trickle(ctx.executor(), queue, body(parameters), interval, parameters.number("messages", 1));
        if (parameters.number("continued", 0) == 0) {
            world.counters.started();
        }
        trickle.run();
    }

    /** With {@code work}, the text behind the digits, the body is for a process that reads it. */
    private static Trickle.Body body(Parameters parameters) {
        byte[] bytes = body((int) parameters.number("bytes", 100));
        byte[] work = parameters.text("work").getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(work, 0, bytes, FIXED_DIGITS, work.length);
        return new Trickle.Body(bytes, work.length > 0, (int) parameters.number("groups", 100));
    }

    private static byte[] body(int bytes) {
        StringBuilder body = new StringBuilder(bytes);
        body.append("0".repeat(FIXED_DIGITS));
        while (body.length() < bytes) {
            body.append("abcdefghijklmnopqrstuvwxyz ");
        }
        body.setLength(Math.max(bytes, FIXED_DIGITS));
        return body.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static JsonText text(ChannelHandlerContext ctx) {
        return new JsonText(ctx.alloc().buffer());
    }

    private static void respond(ChannelHandlerContext ctx, JsonText out) {
        ByteBuf body = out.buffer();
        DefaultFullHttpResponse response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, body);
        response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
        ChannelFuture unused = ctx.writeAndFlush(response);
    }

    /** The query string. */
    private record Parameters(Map<String, List<String>> values) {

        String text(String name) {
            return values.getOrDefault(name, List.of("")).getFirst();
        }

        long number(String name, long otherwise) {
            String value = text(name);
            return value.isEmpty() ? otherwise : Long.parseLong(value);
        }

        double chance(String name) {
            String value = text(name);
            return value.isEmpty() ? 0 : Double.parseDouble(value);
        }
    }
}
