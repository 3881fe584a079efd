/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.testkit.JavaProcess;
import io.github.batchsqs.testkit.StubSqs;
import io.github.batchsqs.testkit.StubSqs.Request;
import io.github.batchsqs.testkit.StubSqs.Response;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Large messages in a process with a small heap, which ends at the first lack of memory. */
@Tag("reliability") // half a gigabyte over HTTP
class SmallHeapTests {

    private static final int MESSAGES = 1_000;
    private static final int SIZE = (512 << 10) - 30;
    private static final String TEXT = "x".repeat(SIZE);
    private static final Duration CALL = Duration.ofMillis(100);

    private static final JsonMapper JSON = JsonMapper.shared();

    @AutoClose
    private final StubSqs server = new StubSqs();

    private final AtomicInteger received = new AtomicInteger();
    private final AtomicInteger accepted = new AtomicInteger();

    @TempDir
    Path directory;

    @ParameterizedTest(name = "batches of {0}, {1}")
    @CsvSource({"1, UseG1GC", "10, UseG1GC", "1, UseSerialGC", "10, UseSerialGC"})
    void receivesAThousandMessagesOfHalfAMebibyte(String batchSize, String collector) throws Exception {
        server.respond(request -> switch (request.operation()) {
            case "ReceiveMessage" ->
                Response.ok(messages(json(request).get("MaxNumberOfMessages").asInt()));
            case "DeleteMessageBatch" -> Response.ok(successful(request, entry -> ""));
            default -> Response.error(400, "InvalidAction");
        });
        String memory = System.getProperty("batchsqs.memory", "heap"); // "unlimited" shows what the limit is good for
        run(SmallHeapConsumer.class, collector, Integer.toString(MESSAGES), batchSize, "20", memory);
        assertThat(accepted.get()).isEqualTo(MESSAGES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UseG1GC", "UseSerialGC"})
    void sendsMessagesOfHalfAMebibyteFasterThanTheyAreAccepted(String collector) throws Exception {
        server.respond(request -> {
            LockSupport.parkNanos(CALL.toNanos());
            server.requests().clear();
            return Response.ok(successful(request, entry -> ",\"MessageId\":\"m\""));
        });
        run(SmallHeapProducer.class, collector, Integer.toString(MESSAGES / 2), Integer.toString(SIZE));
        assertThat(accepted.get()).isEqualTo(MESSAGES / 2);
    }

    /** Runs the program to its end, which must be a good one. */
    private void run(Class<?> program, String collector, String... arguments) throws IOException {
        List<String> options = List.of("-Xmx128m", "-XX:+" + collector, "-XX:+ExitOnOutOfMemoryError");
        List<String> all = Stream.concat(Stream.of(server.endpoint().toString()), Stream.of(arguments))
                .toList();
        try (JavaProcess process = JavaProcess.start(program, directory.resolve("process.log"), options, all)) {
            process.awaitGoodEnd(accepted::get);
        }
    }

    private String messages(int max) {
        int first = received.getAndUpdate(before -> Math.min(MESSAGES, before + max));
        return IntStream.range(first, Math.min(MESSAGES, first + max))
                .mapToObj(SmallHeapTests::message)
                .collect(Collectors.joining(",", "{\"Messages\":[", "]}"));
    }

    private static String message(int number) {
        String body = "{\"number\":" + number + ",\"text\":\"" + TEXT + "\"}";
        return "{\"MessageId\":\"m%d\",\"ReceiptHandle\":\"h%d\",\"Body\":\"".formatted(number, number)
                + body.replace("\"", "\\\"") + "\"}";
    }

    private String successful(Request request, Function<JsonNode, String> members) {
        List<JsonNode> entries = json(request).get("Entries").valueStream().toList();
        accepted.addAndGet(entries.size());
        return entries.stream()
                .map(entry -> "{\"Id\":\"" + entry.get("Id").asString() + "\"" + members.apply(entry) + "}")
                .collect(Collectors.joining(",", "{\"Successful\":[", "],\"Failed\":[]}"));
    }

    private static JsonNode json(Request request) {
        return JSON.readTree(request.body());
    }
}
