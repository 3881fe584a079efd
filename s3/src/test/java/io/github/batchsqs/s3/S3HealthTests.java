/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import software.amazon.awssdk.services.s3.S3Client;

class S3HealthTests {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final AtomicLong nanos = new AtomicLong();
    private final TimeSource time = new TimeSource() {
        @Override
        public long nanos() {
            return nanos.get();
        }

        @Override
        public Instant now() {
            return Instant.EPOCH.plusNanos(nanos.get());
        }
    };
    private final S3Client client = Queues.s3(Queues.ENDPOINT);
    private final S3PayloadStore store = new S3PayloadStore(
            new S3Options(
                    "payloads", 1_000, false, "", true, Pointer.MARKER, Set.of("payloads"), 1 << 20, MINUTE, MINUTE, 4),
            client,
            new S3Meters(null),
            time);
    private final S3Health health = new S3Health(store, MINUTE);

    @AfterEach
    void close() {
        store.close();
        client.close();
    }

    private void pass(Duration duration) {
        nanos.addAndGet(duration.toNanos());
    }

    @Test
    void uploadsThatFailForAMinuteAreAProblemUntilOneSucceeds() {
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        store.outages().uploads().failed("AccessDenied", "denied");
        pass(Duration.ofSeconds(59));
        store.outages().uploads().failed("AccessDenied", "denied");
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        pass(Duration.ofSeconds(1));
        store.outages().uploads().failed("AccessDenied", "denied");

        Health down = health.health();
        assertThat(down.getStatus()).isEqualTo(Status.DOWN);
        assertThat(down.getDetails())
                .containsEntry("bucket", "payloads")
                .containsKey("uploadsFailingSince")
                .hasEntrySatisfying(
                        "reason",
                        reason -> assertThat(reason)
                                .asString()
                                .startsWith("no payload could be stored for longer than 1m"));
        store.outages().uploads().succeeded();
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
    }

    @Test
    void fetchesThatFailAreAProblemUntilNoneIsTriedForAWhile() {
        store.outages().fetches().failed("NoResponse", "no route");
        pass(MINUTE);
        store.outages().fetches().failed("NoResponse", "no route");
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        pass(Duration.ofMinutes(3));
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
    }

    @Test
    void deletesThatFailAreNamedAndNoProblem() {
        store.outages().deletes().failed("AccessDenied", "denied");
        pass(MINUTE);
        store.outages().deletes().failed("AccessDenied", "denied");

        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        assertThat(health.health().getDetails()).containsKey("deletesFailingSince");
    }

    @Test
    void anApplicationWithAStoreHasTheContributorUnlessItIsTurnedOff() {
        var application =
                Applications.aws().withConfiguration(AutoConfigurations.of(BatchSqsS3HealthAutoConfiguration.class));
        application.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(S3Health.class));
        var withStore = application.withPropertyValues("batchsqs.s3.bucket=payloads");
        withStore.run(context -> assertThat(context).hasSingleBean(S3Health.class));
        withStore
                .withPropertyValues("management.health.batchsqs-s3.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(S3Health.class));
    }
}
