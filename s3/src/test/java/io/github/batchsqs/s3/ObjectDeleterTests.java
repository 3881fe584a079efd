/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.s3.S3Server.Call;
import io.github.batchsqs.s3.S3Server.Failure;
import io.github.batchsqs.testkit.Progress;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.s3.S3Client;

class ObjectDeleterTests {

    private final S3Server server = new S3Server();
    private final S3Client client = Queues.s3(server.endpoint());
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ObjectDeleter deleter = made();

    private ObjectDeleter made() {
        return new ObjectDeleter(
                new S3Objects(client),
                new S3Meters(meters),
                new S3Outages(
                                "payloads",
                                Set.of(),
                                LoggerFactory.getLogger(ObjectDeleterTests.class),
                                TimeSource.system())
                        .deletes(),
                S3PayloadStore.MAX_IN_FLIGHT);
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

    private static void delete(ObjectDeleter deleter, String... keys) {
        for (String key : keys) {
            deleter.add("orders", new Pointer("payloads", key));
        }
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
            delete(closing, "a", "b");
            closing.close();
            return meters.find("batchsqs.s3.deleted").counter() != null;
        });
        assertThat(server.objects).isEmpty();
        assertThat(meters.get("batchsqs.s3.deleted").counter().count()).isEqualTo(2);
    }

    @Test
    void objectsThatComeAfterTheCloseRemainAndAreCounted() {
        delete(deleter, "a");
        deleter.close();
        put("b", "c");
        delete(deleter, "b", "c");

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
        for (int i = 0; i < 20; i++) { // more than there are threads
            delete(deleter, "a" + i);
        }
        Progress.until(() -> server.count(Call::isDelete) > 0);
        Thread.currentThread().interrupt();
        deleter.close();
        assertThat(Thread.interrupted()).isTrue();
        Progress.until(() -> remain("Closed"), 20.0);
        end.countDown();
    }

    @Test
    void objectsThatS3DoesNotDeleteRemainAndAreCounted() {
        server.fail(Call::isDelete, Failure.DENIED);
        delete(deleter, "alone");
        delete(deleter, "a", "b");

        Progress.until(() -> remain("AccessDenied"), 3.0);
        server.recover();
        put("c");
        delete(deleter, "c");
        Progress.until(server.objects::isEmpty);
    }
}
