/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.micro;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.direct.DirectQueueClient;
import io.github.batchsqs.internal.sdk.AwsQueueClient;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;

/** What a call costs per message beside the network: write, sign, read and check; direct, or by the SDK's pipeline. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 10, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class QueueClientBenchmark {

    private static final int TEN = 10;
    private static final Queue QUEUE = new Queue("orders", "http://localhost:9324/000000000000/orders");
    private static final ReceiveCall RECEIVE = new ReceiveCall(QUEUE, TEN, Duration.ofSeconds(20), null, null);
    private static final List<String> HANDLES =
            IntStream.range(0, TEN).mapToObj(i -> "A".repeat(120) + "-" + i).toList();
    private static final List<SendEntry> ENTRIES =
            Collections.nCopies(TEN, new SendEntry(CannedHttp.BODY, Map.of(), null, null, null));

    @Param({"direct", "sdk"})
    private String path = "";

    private QueueClient client = client("direct");

    @Setup
    public void setUp() {
        client = client(path);
    }

    @Benchmark
    @OperationsPerInvocation(TEN)
    public Object receive() throws InterruptedException {
        return client.receive(RECEIVE);
    }

    @Benchmark
    @OperationsPerInvocation(TEN)
    public Object delete() throws InterruptedException {
        return client.delete(QUEUE, HANDLES);
    }

    @Benchmark
    @OperationsPerInvocation(TEN)
    public Object send() throws InterruptedException {
        return client.send(QUEUE, ENTRIES);
    }

    private static QueueClient client(String path) {
        CannedHttp http = new CannedHttp();
        SqsClient sqs = SqsClient.builder()
                .endpointOverride(URI.create("http://localhost:9324"))
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                .httpClient(http)
                .build();
        return path.equals("direct") ? new DirectQueueClient(sqs, http) : new AwsQueueClient(sqs);
    }
}
