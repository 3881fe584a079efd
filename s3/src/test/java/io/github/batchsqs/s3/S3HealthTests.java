/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.internal.support.OutageLog;
import io.github.batchsqs.internal.support.PayloadPointers;
import io.github.batchsqs.payload.FetchedPayloads;
import io.github.batchsqs.payload.PayloadStoreException;
import io.github.batchsqs.s3.S3Server.Failure;
import io.github.batchsqs.testkit.SettableTime;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import software.amazon.awssdk.services.s3.S3Client;

class S3HealthTests {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final SettableTime time = new SettableTime();
    private final S3Server server = new S3Server();
    private final S3Client client = Queues.s3(server.endpoint());
    private final S3PayloadStore store = new S3PayloadStore(
            new S3Options("payloads", 1_000, "", true, Set.of("payloads", "others"), 1 << 20, MINUTE, MINUTE),
            client,
            new S3Meters(new SimpleMeterRegistry()),
            time);
    private final S3Health health = new S3Health(store);

    @AfterEach
    void close() {
        store.close();
        client.close();
        server.close();
    }

    @Test
    void uploadsThatFailForAMinuteAreAProblemUntilOneSucceeds() {
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        store.outages().uploads().failed("AccessDenied", "denied");
        time.advance(Duration.ofSeconds(59));
        store.outages().uploads().failed("AccessDenied", "denied");
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        time.advance(Duration.ofSeconds(1));
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
        store.outages().fetches("payloads").failed("NoResponse", "no route");
        time.advance(MINUTE);
        store.outages().fetches("payloads").failed("NoResponse", "no route");
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        time.advance(Duration.ofMinutes(3));
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
    }

    /** Of two listeners, one reads each bucket. */
    @Test
    void fetchesThatFailFromOneBucketAreAProblemWhateverAnotherBucketResponds() throws Exception {
        server.objects.put("payloads/fine", "fine".getBytes(StandardCharsets.UTF_8));
        server.with(call -> {
            if (!call.objects().contains("others/refused")) {
                return null;
            }
            time.advance(MINUTE); // the fetch timeout, so that there is no further try
            return Failure.DENIED;
        });
        assertThat(fetches("others", "refused")).isFalse();
        assertThat(fetches("payloads", "fine")).isTrue();
        assertThat(fetches("others", "refused")).isFalse();
        assertThat(fetches("payloads", "fine")).isTrue();

        Health down = health.health();
        assertThat(down.getStatus()).isEqualTo(Status.DOWN);
        assertThat(down.getDetails())
                .hasEntrySatisfying(
                        "fetchesFailingSince",
                        buckets -> assertThat(buckets)
                                .asInstanceOf(InstanceOfAssertFactories.MAP)
                                .containsOnlyKeys("others"))
                .hasEntrySatisfying(
                        "reason",
                        reason -> assertThat(reason)
                                .asString()
                                .startsWith("no payload could be fetched from the bucket others for longer than 1m"));

        server.recover();
        server.objects.put("others/refused", "allowed now".getBytes(StandardCharsets.UTF_8));
        assertThat(fetches("others", "refused")).isTrue();
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
    }

    /** The key of some objects is not allowed, for example: their fetches always fail beside those of the others. */
    @Test
    void fetchesThatFailBesideOthersThatSucceedFromTheSameBucketAreNoProblem() {
        OutageLog fetches = store.outages().fetches("payloads");
        fetches.failed("AccessDenied", "denied");
        for (int second = 0; second < 120; second++) {
            long calledAt = time.nanos();
            time.advance(Duration.ofMillis(500));
            fetches.failed("AccessDenied", "denied");
            time.advance(Duration.ofMillis(500));
            fetches.succeeded(calledAt);
            assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        }
    }

    private boolean fetches(String bucket, String key) throws InterruptedException {
        ReceivedMessage message = mock();
        when(message.body()).thenReturn(new Pointer(bucket, key).toJson());
        when(message.attributes()).thenReturn(Map.of(PayloadPointers.MARKER, MessageAttribute.number(20)));
        try (FetchedPayloads fetched = store.fetch("orders", List.of(message))) {
            return !fetched.message(message).body().isEmpty();
        } catch (PayloadStoreException e) {
            assertThat(e.retryable()).isTrue();
            return false;
        }
    }

    @Test
    void deletesThatFailAreNamedAndNoProblem() {
        store.outages().deletes().failed("AccessDenied", "denied");
        time.advance(MINUTE);
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
