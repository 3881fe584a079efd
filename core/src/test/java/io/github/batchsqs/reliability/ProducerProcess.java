/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import io.github.batchsqs.codec.JacksonPayloadCodec;
import io.github.batchsqs.internal.sdk.AwsQueueResolver;
import io.github.batchsqs.internal.send.BatchSqsTemplate;
import io.github.batchsqs.internal.send.SenderResources;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.testkit.ElasticMqServer;
import io.github.batchsqs.testkit.PatientSender;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import tools.jackson.databind.json.JsonMapper;

/**
 * A process that sends with a template, to be killed. It begins where the ledger says that its predecessor was, and ends by
 * itself when all messages are accepted. SIGTERM closes the template first, as Spring's shutdown hook does.
 */
final class ProducerProcess {

    /** The most messages without an answer, and so the most that a kill can make go out twice. */
    static final int MOST_IN_FLIGHT = 100;

    private static final int BURST = 20;
    private static final long BETWEEN_BURSTS = TimeUnit.MILLISECONDS.toNanos(8);

    private final Job job;
    private final Ledger ledger;
    private final BatchSqsTemplate template;
    private final Semaphore window = new Semaphore(MOST_IN_FLIGHT);
    private volatile boolean closing;

    private ProducerProcess(Job job, Ledger ledger, BatchSqsTemplate template) {
        this.job = job;
        this.ledger = ledger;
        this.template = template;
    }

    public static void main(String... arguments) throws Exception {
        Job job = Job.parse(arguments);
        Ledger ledger = Ledger.open(job.ledger());
        SqsClient sqs = ElasticMqServer.newClient(job.endpoint(), Region.of(job.region()));
        BatchSqsTemplate template = new BatchSqsTemplate(
                PatientSender.options().maxInFlight(4).build(),
                SenderResources.of(
                        ElasticMqServer.newQueueClient(sqs),
                        new AwsQueueResolver(sqs),
                        new JacksonPayloadCodec(JsonMapper.shared())));
        ProducerProcess producer = new ProducerProcess(job, ledger, template);
        Runtime.getRuntime().addShutdownHook(new Thread(producer::close, "close"));
        producer.run();
    }

    private void run() throws InterruptedException {
        Set<String> accepted = new LedgerTail(job.ledger()).read().keys(Ledger.Kind.SENT);
        int sent = 0;
        for (int i = 0; i < job.messages() && !closing; i++) {
            if (accepted.contains(job.key(i))) {
                continue;
            }
            window.acquire();
            send(job.lane(i), job.key(i));
            if (++sent % BURST == 0) {
                LockSupport.parkNanos(BETWEEN_BURSTS);
            }
        }
    }

    private void send(String lane, String key) {
        OutgoingMessage.Builder message = OutgoingMessage.builder(job.queue(), key);
        if (job.queue().endsWith(".fifo")) {
            message.groupId(lane);
        }
        CompletableFuture<?> ignored = template.send(message.build()).whenComplete((result, failure) -> {
            if (failure == null) {
                ledger.write(Ledger.Kind.SENT, key, result.messageId());
            }
            window.release();
        });
    }

    /** The template completes every promise; what was accepted is written down before the process ends. */
    private void close() {
        closing = true;
        template.close();
        boolean ignored = false;
        try {
            ignored = window.tryAcquire(MOST_IN_FLIGHT, 10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
