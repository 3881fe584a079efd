/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.micro;

import io.github.batchsqs.codec.JacksonPayloadCodec;
import io.github.batchsqs.codec.PayloadCodec;
import io.github.batchsqs.send.DeduplicationIds;
import io.github.batchsqs.send.OutgoingMessage;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import tools.jackson.databind.json.JsonMapper;

/** What a payload costs: read, written, and made into a deduplication id (canonical JSON and SHA-256). */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 10, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PayloadBenchmark {

    private static final Order ORDER = new Order(
            "order-4711", "customer-42", List.of(new Line("sku-1", 2, 19.99), new Line("sku-2", 1, 5.0)), true);

    private final PayloadCodec codec = new JacksonPayloadCodec(JsonMapper.shared());
    private final String body = codec.write(ORDER);
    private final DeduplicationIds ids = DeduplicationIds.content();
    private final OutgoingMessage message =
            OutgoingMessage.builder("orders.fifo", ORDER).groupId("customer-42").build();

    /** A payload as users have them. */
    record Order(String id, String customer, List<Line> lines, boolean paid) {}

    /** A part of it. */
    record Line(String sku, int quantity, double price) {}

    @Benchmark
    public Order read() {
        return codec.<Order>read(body, Order.class);
    }

    @Benchmark
    public String write() {
        return codec.write(ORDER);
    }

    @Benchmark
    public String text() {
        return codec.<String>read(body, String.class);
    }

    @Benchmark
    public Object contentId() throws Exception {
        return String.valueOf(ids.idOf(message, body));
    }
}
