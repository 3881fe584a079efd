/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.settings;

import io.github.batchsqs.Check;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The SQS server in the process, for development and tests. Every AWS client that Spring Cloud AWS builds in this
 * context is pointed at it, the clients of other services too.
 *
 * @param enabled Whether to start an SQS server (ElasticMQ) in this process and to point the AWS clients of the context
 *     at it. Needs org.elasticmq:elasticmq-rest-sqs_2.13 on the class path.
 * @param port Port of the server on 127.0.0.1; 0 takes a free one.
 * @param queues Queues to create at start: a name, or an object with name, dead-letter-queue, max-receive-count and
 *     visibility-timeout. A name that ends in .fifo makes a FIFO queue.
 */
public record EmbeddedSettings(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("0") int port,
        @DefaultValue List<Queue> queues) {

    private static final String QUEUES = "batchsqs.embedded.queues";

    public EmbeddedSettings {
        Check.range("batchsqs.embedded.port", port, 0, 65_535);
        queues = List.copyOf(queues);
    }

    /**
     * A queue to create.
     *
     * @param name Name of the queue; one that ends in .fifo is a FIFO queue.
     * @param deadLetterQueue Queue that takes what failed too often; created if the list does not name it.
     * @param maxReceiveCount How often a message is delivered before it goes to the dead-letter queue. Default 3, where
     *     there is one.
     * @param visibilityTimeout How long a received message stays hidden. Default 30s, as on SQS.
     */
    public record Queue(
            String name,
            @Nullable String deadLetterQueue,
            @Nullable Integer maxReceiveCount,
            @Nullable Duration visibilityTimeout) {

        private static final int DEFAULT_MAX_RECEIVE_COUNT = 3;

        @SuppressWarnings("NullAway") // the binder passes null for a name that is not there
        public Queue {
            Check.that(name != null && !name.isBlank(), QUEUES + ".name", "must be set", "empty", "name the queue");
            if (deadLetterQueue != null) {
                Check.that(
                        deadLetterQueue.endsWith(".fifo") == name.endsWith(".fifo"),
                        QUEUES + ".dead-letter-queue",
                        "must be a FIFO queue for a FIFO queue, and none for another (SQS's rule)",
                        deadLetterQueue + " for " + name,
                        "let both names end in .fifo, or neither");
            }
            if (maxReceiveCount != null) {
                Check.that(
                        deadLetterQueue != null,
                        QUEUES + ".max-receive-count",
                        "needs a dead-letter queue",
                        maxReceiveCount + " for " + name,
                        "set dead-letter-queue as well");
                Check.range(QUEUES + ".max-receive-count", maxReceiveCount, 1, 1_000);
            }
            if (visibilityTimeout != null) {
                Check.range(QUEUES + ".visibility-timeout", visibilityTimeout, Duration.ZERO, Duration.ofHours(12));
            }
        }

        /** A queue with SQS's defaults; lets a list of settings hold plain names. */
        public static Queue of(String name) {
            return new Queue(name, null, null, null);
        }

        /** How often a message is delivered before it goes to the dead-letter queue. */
        public int maxReceiveCountOrDefault() {
            return maxReceiveCount != null ? maxReceiveCount : DEFAULT_MAX_RECEIVE_COUNT;
        }
    }
}
