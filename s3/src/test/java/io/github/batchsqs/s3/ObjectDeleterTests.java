/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.s3.S3Server.Call;
import io.github.batchsqs.s3.S3Server.Failure;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.time.TimeSource;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.s3.S3Client;

class ObjectDeleterTests {

    private static final Duration LONG = Duration.ofMinutes(10);

    private final S3Server server = new S3Server();
    private final S3Client client = Queues.s3(server.endpoint());
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ObjectDeleter deleter = new ObjectDeleter(
            "payloads",
            new S3Objects(client),
            new S3Meters(meters),
            new S3Outages("payloads", Set.of(), LoggerFactory.getLogger(ObjectDeleterTests.class), TimeSource.system())
                    .deletes(),
            new S3Threads(),
            TimeSource.system());

    @AfterEach
    void close() {
        deleter.close(Duration.ZERO);
        client.close();
        server.close();
    }

    private double remain(String code) {
        return meters.find("batchsqs.s3.failures").tags("operation", "delete", "code", code).counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    private void put(String... keys) {
        for (String key : keys) {
            server.objects.put("payloads/" + key, new byte[1]);
        }
    }

    @Test
    void aCloseDeletesWhatWaits() {
        put("a", "b");
        deleter.add("orders", List.of("a", "b"));
        deleter.close(LONG);

        assertThat(server.objects).isEmpty();
        assertThat(meters.get("batchsqs.s3.deleted").counter().count()).isEqualTo(2);
    }

    @Test
    void objectsThatComeAfterTheCloseRemainAndAreCounted() {
        deleter.add("orders", List.of("a"));
        deleter.close(LONG);
        put("b", "c");
        deleter.add("orders", List.of("b", "c"));

        assertThat(remain("Closed")).isEqualTo(2);
        assertThat(server.objects).hasSize(2);
    }

    @Test
    void objectsThatComeAfterACloseWithoutDeletesRemainAndAreCounted() {
        deleter.close(LONG);
        deleter.add("orders", List.of("a"));

        assertThat(remain("Closed")).isEqualTo(1);
        assertThat(server.calls).isEmpty();
    }

    @Test
    void objectsWhoseDeleteIsUnderWayAtTheEndOfTheCloseAreCounted() {
        CountDownLatch end = new CountDownLatch(1);
        server.with(call -> {
            end.await();
            return null;
        });
        deleter.add("orders", List.of("a", "b"));
        Progress.until(() -> server.count(Call::isDelete) > 0);
        deleter.add("orders", List.of("c"));
        deleter.close(Duration.ZERO);
        Progress.until(() -> remain("Closed"), 3.0);
        end.countDown();
    }

    @Test
    void objectsThatAnOutageKeepsDuringTheCloseAreCounted() {
        server.with(call -> Failure.UNAVAILABLE);
        deleter.add("orders", List.of("a", "b"));
        Progress.until(() -> server.count(Call::isDelete) > 0);
        deleter.add("orders", List.of("c"));
        deleter.close(LONG);

        Progress.until(() -> remain("Closed"), 3.0);
    }

    @Test
    void anObjectThatS3RefusesToDeleteAloneRemainsAfterAFewTries() {
        server.fail(Call::isDeleteAlone, new Failure(403, "AccessDenied"));
        deleter.add("orders", List.of("odd\u0001", "even"));
        Progress.until(() -> remain("AccessDenied"), 1.0);

        assertThat(server.count(Call::isDeleteAlone)).isEqualTo(5);
        assertThat(meters.get("batchsqs.s3.deleted").counter().count()).isEqualTo(1);
    }

    /** For a reason that is not known here, too. */
    @Test
    void objectsOfACallThatS3RefusesForItsContentAreDeletedOneByOne() {
        put("a", "b", "c");
        server.fail(Call::isDelete, new Failure(400, "InvalidRequest"));
        deleter.add("orders", List.of("a", "b", "c"));

        Progress.until(server.objects::isEmpty);
        assertThat(server.count(Call::isDelete)).isEqualTo(1);
    }

    @Test
    void aServerWithoutTheCallForSeveralObjectsIsAskedOnceAndGetsSingleCalls() {
        put("a", "b", "c");
        server.fail(Call::isDelete, new Failure(501, "NotImplemented"));
        deleter.add("orders", List.of("a", "b"));
        Progress.until(() -> server.count(Call::isDeleteAlone), 2L);
        deleter.add("orders", List.of("c"));

        Progress.until(server.objects::isEmpty);
        assertThat(server.count(Call::isDelete)).isEqualTo(1);
    }

    @Test
    void objectsOfAServerThatDeletesNothingRemainAfterAFewTries() {
        put("a", "b");
        server.with(call -> new Failure(501, "NotImplemented"));
        deleter.add("orders", List.of("a", "b"));

        Progress.until(() -> remain("NotImplemented"), 2.0);
        assertThat(server.count(Call::isDeleteAlone)).isEqualTo(10);
    }

    @Test
    void anOutageLosesNoObject() {
        String[] keys = IntStream.range(0, 20)
                .mapToObj(i -> i % 2 == 0 ? "k" + i : "k\u0001" + i)
                .toArray(String[]::new);
        put(keys);
        server.with(call -> server.calls.size() <= 8 ? Failure.UNAVAILABLE : null);
        deleter.add("orders", List.of(keys));

        Progress.until(server.objects::isEmpty);
    }
}
