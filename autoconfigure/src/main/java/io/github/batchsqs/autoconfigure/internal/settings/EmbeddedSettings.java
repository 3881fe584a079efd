/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.settings;

import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.SqsLimits;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/**
 * SQS server in the process, for development and tests.
 *
 * @param enabled Whether to start an SQS server (ElasticMQ) in this process and to connect the SQS clients of BatchSQS and
 *     Spring Cloud AWS to it. Clients of other services are not affected. Requires org.elasticmq:elasticmq-rest-sqs_2.13 on the class path.
 * @param port Port of the server on 127.0.0.1. 0 selects a free port.
 * @param queues Queues to create at start: a name, or an object with name, dead-letter-queue, max-receive-count and
 *     visibility-timeout. A name that ends in .fifo creates a FIFO queue.
 */
public record EmbeddedSettings(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("0") int port,
        @DefaultValue List<Queue> queues) {

    private static final String QUEUES = "batchsqs.embedded.queues";

    public EmbeddedSettings {
        Check.range("batchsqs.embedded.port", port, 0, 65_535);
        queues = List.copyOf(queues);
        for (int i = 0; i < queues.size(); i++) {
            check(QUEUES + "[" + i + "]", queues.get(i));
        }
    }

    private static void check(String key, Queue queue) {
        checkName(key + ".name", queue.name());
        String deadLetterQueue = queue.deadLetterQueue();
        if (deadLetterQueue != null) {
            checkName(key + ".dead-letter-queue", deadLetterQueue);
            Check.that(
                    deadLetterQueue.endsWith(".fifo") == queue.name().endsWith(".fifo"),
                    key + ".dead-letter-queue",
                    "must be a FIFO queue if the queue is one, and a standard queue otherwise (a rule of SQS)",
                    deadLetterQueue + " for " + queue.name(),
                    "end both names in .fifo, or neither");
        }
        if (queue.maxReceiveCount() != null) {
            Check.that(
                    deadLetterQueue != null,
                    key + ".max-receive-count",
                    "needs a dead-letter queue",
                    queue.maxReceiveCount() + " for " + queue.name(),
                    "set dead-letter-queue as well");
            Check.range(key + ".max-receive-count", queue.maxReceiveCount(), 1, 1_000);
        }
        if (queue.visibilityTimeout() != null) {
            Check.range(
                    key + ".visibility-timeout", queue.visibilityTimeout(), Duration.ZERO, SqsLimits.MAX_VISIBILITY);
        }
    }

    private static void checkName(String key, @Nullable String name) {
        Check.that(
                name != null && SqsLimits.QUEUE_NAME.matcher(name).matches(),
                key,
                "must be the name of a queue: " + SqsLimits.QUEUE_NAME_RULE,
                String.valueOf(name),
                "correct the name, which is neither a URL nor an ARN here");
    }

    /**
     * A queue to create.
     *
     * @param name Name of the queue. A name that ends in .fifo creates a FIFO queue.
     * @param deadLetterQueue Name of the dead-letter queue. It is created if the list does not contain it.
     * @param maxReceiveCount Number of deliveries before a message moves to the dead-letter queue, 1 to 1,000.
     *     Default: 3.
     * @param visibilityTimeout Visibility timeout, 0s to 12h. Default: 30s, as on SQS.
     */
    public record Queue(
            String name,
            @Nullable String deadLetterQueue,
            @Nullable Integer maxReceiveCount,
            @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration visibilityTimeout) {

        private static final int DEFAULT_MAX_RECEIVE_COUNT = 3;

        /** Returns a queue with the defaults of SQS. Spring calls it for plain names in a list. */
        public static Queue of(String name) {
            return new Queue(name, null, null, null);
        }

        /** Returns the number of deliveries before a message moves to the dead-letter queue. */
        public int maxReceiveCountOrDefault() {
            return maxReceiveCount != null ? maxReceiveCount : DEFAULT_MAX_RECEIVE_COUNT;
        }
    }
}
