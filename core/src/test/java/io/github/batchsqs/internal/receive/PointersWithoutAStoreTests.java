/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.model.sqs.QueueSettings;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.StoredMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Messages whose payloads are in S3, on a listener without a store of payloads. */
class PointersWithoutAStoreTests extends ContainerFixture {

    private static final String POINTER = "[\"software.amazon.payloadoffloading.PayloadS3Pointer\","
            + "{\"s3BucketName\":\"payloads\",\"s3Key\":\"orders/1\"}]";

    private void put(Queue target, String body, String attribute) {
        client.put(
                target,
                List.of(new SendEntry(
                        body, Map.of(attribute, MessageAttribute.number(2_000)), null, null, null, null)));
    }

    private static ListenerOptions.Builder quickRetries(ListenerOptions.Builder options) {
        return options.failure(new ListenerOptions.Failure(
                Backoff.exponential(Duration.ofNanos(1), Duration.ofNanos(1)),
                false,
                List.of(),
                ListenerOptions.Failure.REDRIVE_POLICY));
    }

    @Test
    void areUnreadableAndTheirErrorNamesTheModule() throws Exception {
        Queue dead = client.createQueue("dead");
        Queue source = client.createQueue("source", QueueSettings.DEFAULT.withRedrive("dead", 100));
        put(source, POINTER, "ExtendedPayloadSize");
        put(source, POINTER, "SQSLargePayloadSize");
        client.put(source, "small");
        started(collect, options -> quickRetries(options).queue("source"));

        assertThat(take()).isEqualTo("small");
        Progress.until(() -> client.visible(dead).size(), 2);
        assertThat(client.visible(dead)).extracting(StoredMessage::body).containsOnly(POINTER);
        assertThat(client.visible(dead))
                .allSatisfy(letter -> assertThat(
                                Objects.requireNonNull(letter.attributes().get("BatchSqsErrorMessage"))
                                        .stringValue())
                        .contains("io.github.batchsqs:batchsqs-spring-boot-s3", "batchsqs.s3.bucket"));
        assertThat(handled).isEmpty();
    }

    @Test
    void stayInAQueueWithoutADeadLetterQueueInEachMode() {
        put(queue, POINTER, "ExtendedPayloadSize");
        started(
                collect,
                options -> quickRetries(options)
                        .acknowledge(new ListenerOptions.Acknowledge(
                                ListenerOptions.AcknowledgeMode.ALWAYS, Duration.ofMillis(1))));

        Progress.until(() -> client.delivered(queue).size() > 3);
        assertThat(client.deleted(queue)).isEmpty();
        assertThat(handled).isEmpty();
    }

    @Test
    void areMessagesLikeAnyOtherIfTheyAreOnlySimilar() throws Exception {
        put(queue, "an order", "ExtendedPayloadSize");
        put(queue, POINTER, "Size");
        started(collect);

        assertThat(List.of(take(), take())).containsExactlyInAnyOrder("an order", POINTER);
    }
}
