/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.s3.S3Server.Call;
import io.github.batchsqs.s3.S3Server.Failure;
import io.github.batchsqs.testkit.Progress;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.s3.S3Client;

class ObjectDeleterTests {

    private final S3Server server = new S3Server();
    private final S3Client client = Queues.s3(server.endpoint());
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ObjectDeleter deleter = made();

    private ObjectDeleter made() {
        return new ObjectDeleter(
                "payloads",
                new S3Objects(client),
                new S3Meters(meters),
                new S3Outages(
                                "payloads",
                                Set.of(),
                                LoggerFactory.getLogger(ObjectDeleterTests.class),
                                TimeSource.system())
                        .deletes());
    }

    @AfterEach
    void close() {
        deleter.close();
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

    /** A machine that stalls for the whole of a close gets another try. */
    @Test
    void aCloseDeletesWhatWaits() {
        Progress.until(() -> {
            put("a", "b");
            ObjectDeleter closing = made();
            closing.add("orders", List.of("a", "b"));
            closing.close();
            return meters.find("batchsqs.s3.deleted").counter() != null;
        });
        assertThat(server.objects).isEmpty();
        assertThat(meters.get("batchsqs.s3.deleted").counter().count()).isEqualTo(2);
    }

    @Test
    void objectsThatComeAfterTheCloseRemainAndAreCounted() {
        deleter.add("orders", List.of("a"));
        deleter.close();
        put("b", "c");
        deleter.add("orders", List.of("b", "c"));

        assertThat(remain("Closed")).isEqualTo(2);
        assertThat(server.objects).hasSize(2);
    }

    @Test
    void objectsWhoseDeleteIsUnderWayAtTheEndOfTheCloseAreCounted() {
        CountDownLatch end = new CountDownLatch(1);
        server.with(call -> {
            end.await();
            return null;
        });
        for (int i = 0; i < 6; i++) { // more than there are threads
            deleter.add("orders", List.of("a" + i, "b" + i));
        }
        Progress.until(() -> server.count(Call::isDelete) > 0);
        Thread.currentThread().interrupt();
        deleter.close();
        assertThat(Thread.interrupted()).isTrue();
        Progress.until(() -> remain("Closed"), 12.0);
        end.countDown();
    }

    @Test
    void objectsThatS3DoesNotDeleteRemainAndAreCounted() {
        server.fail(Call::isDelete, Failure.DENIED);
        deleter.add("orders", List.of("alone"));
        deleter.add("orders", List.of("a", "b"));

        Progress.until(() -> remain("AccessDenied"), 3.0);
        server.recover();
        put("c");
        deleter.add("orders", List.of("c"));
        Progress.until(server.objects::isEmpty);
    }

    /** DeleteObjects sends its keys in XML, which has no control characters. */
    @Test
    void aKeyThatXmlCannotHoldKeepsNoOtherObjectFromBeingDeleted() {
        put("odd\u0001", "even");
        deleter.add("orders", List.of("odd\u0001", "even"));
        Progress.until(server.objects::isEmpty);
    }

    @ParameterizedTest
    @CsvSource({"501, NotImplemented", "400, InvalidRequest"})
    void objectsOfACallThatTheServerDoesNotHaveAreDeletedOneByOne(int status, String code) {
        put("a", "b", "c");
        server.fail(Call::isDeleteTogether, new Failure(status, code));
        deleter.add("orders", List.of("a", "b", "c"));

        Progress.until(server.objects::isEmpty);
        assertThat(remain(code)).isZero();
    }
}
