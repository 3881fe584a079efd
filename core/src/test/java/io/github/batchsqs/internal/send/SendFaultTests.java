/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.codec.JacksonPayloadCodec;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.client.SentMessage;
import io.github.batchsqs.internal.events.SenderEvents;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.testkit.FastTime;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.PatientSender;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.json.JsonMapper;

/** What the send path does when the server does not respond, or responses are lost. */
@Execution(ExecutionMode.CONCURRENT)
class SendFaultTests {

    @Test
    void storesAMessageSixTimesAtMostWhenResponsesAreLostForAMinute() throws Exception {
        FastTime fast = new FastTime(60);
        InMemoryQueueClient sqs = new InMemoryQueueClient(TimeSource.system());
        Queue queue = sqs.createQueue("q");
        long end = fast.nanos() + Duration.ofMinutes(1).toNanos();
        AtomicInteger stored = new AtomicInteger();
        SendSeam seam = new SendSeam(sqs) {
            @Override
            List<EntryResult<SentMessage>> onSend(Queue to, List<SendEntry> entries) throws InterruptedException {
                List<EntryResult<SentMessage>> results = sqs.send(to, entries);
                stored.incrementAndGet();
                if (fast.nanos() - end < 0) {
                    throw new QueueCallException("SendMessageBatch", "ConnectionFailed", "reset", true, null);
                }
                return results;
            }
        };
        SenderResources resources = new SenderResources(
                seam,
                sqs,
                new JacksonPayloadCodec(JsonMapper.shared()),
                any -> SenderEvents.NONE,
                SendObserver.NONE,
                SendBinding.NONE,
                fast,
                null);
        try (var template = new BatchSqsTemplate(PatientSender.options().build(), resources)) {
            assertThat(template.send(queue.name(), "m").get().messageId()).isNotEmpty();
        }
        assertThat(stored).hasValueLessThanOrEqualTo(6);
    }
}
