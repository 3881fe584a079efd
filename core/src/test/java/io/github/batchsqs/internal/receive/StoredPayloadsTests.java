/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.BatchListener;
import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.model.sqs.QueueSettings;
import io.github.batchsqs.payload.PayloadStore;
import io.github.batchsqs.testkit.InMemoryPayloadStore;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.StoredMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Listeners on queues in memory, whose messages have their payloads outside of SQS. */
class StoredPayloadsTests extends ContainerFixture {

    private static final String POINTER = "[\"software.amazon.payloadoffloading.PayloadS3Pointer\","
            + "{\"s3BucketName\":\"payloads\",\"s3Key\":\"orders/1\"}]";

    private final Queue dead = client.createQueue("dead");
    private final Queue source = client.createQueue("source", QueueSettings.DEFAULT.withRedrive("dead", 100));
    private final InMemoryPayloadStore store = new InMemoryPayloadStore();

    @AfterEach
    void noPayloadStaysInMemory() {
        Progress.until(store.open::get, 0);
    }

    private void startWith(@Nullable PayloadStore with) {
        payloads = with;
        started(
                BatchListener.of(batch -> batch.forEach(message -> {
                    assertThat(message.body()).isEqualTo(message.payload());
                    handled.add(message.payload());
                })),
                options -> options.queue("source")
                        .failure(new ListenerOptions.Failure(
                                Backoff.exponential(Duration.ofNanos(1), Duration.ofNanos(1)),
                                false,
                                List.of(),
                                ListenerOptions.Failure.REDRIVE_POLICY)));
    }

    private void put(String body, String attribute) {
        client.put(
                source,
                List.of(new SendEntry(body, Map.of(attribute, MessageAttribute.number(2_000)), null, null, null)));
    }

    private void putStored() {
        store.objects.put("one", "large payload");
        put("one", "ExtendedPayloadSize");
    }

    @Test
    void theHandlerSeesThePayloadAndTheStoreLearnsOfTheDelete() {
        putStored();
        client.put(source, "small");
        startWith(store);

        assertThat(List.of(Progress.take(handled), Progress.take(handled)))
                .containsExactlyInAnyOrder("large payload", "small");
        Progress.until(() -> List.copyOf(store.deleted), List.of("one"));
    }

    @Test
    void aStoreThatFailsForNowCostsAnAttempt() {
        putStored();
        AtomicInteger fetches = new AtomicInteger();
        store.fetches(key -> fetches.incrementAndGet() < 3 ? InMemoryPayloadStore.unavailable() : null);
        startWith(store);

        assertThat(Progress.take(handled)).isEqualTo("large payload");
        assertThat(client.delivered(source)).hasSize(3);
    }

    @Test
    void anUnreadablePayloadGoesToTheDeadLetterQueueAsAPointer() {
        putStored();
        store.fetches(key -> InMemoryPayloadStore.unreadable());
        startWith(store);

        Progress.until(() -> client.deleted(source).size(), 1);
        assertThat(client.visible(dead)).extracting(StoredMessage::body).containsExactly("one");
        assertThat(store.deleted).isEmpty();
        assertThat(handled).isEmpty();
    }

    @Test
    void pointersAreUnreadableWithoutAStoreAndTheirErrorNamesTheModule() throws Exception {
        put(POINTER, "ExtendedPayloadSize");
        put(POINTER, "SQSLargePayloadSize");
        client.put(source, "small");
        startWith(null);

        assertThat(take()).isEqualTo("small");
        Progress.until(() -> client.visible(dead).size(), 2);
        assertThat(client.visible(dead)).allSatisfy(letter -> {
            assertThat(letter.body()).isEqualTo(POINTER);
            assertThat(Objects.requireNonNull(letter.attributes().get("BatchSqsErrorMessage"))
                            .stringValue())
                    .contains("io.github.batchsqs:batchsqs-spring-boot-s3", "batchsqs.s3.bucket");
        });
        assertThat(handled).isEmpty();
    }
}
