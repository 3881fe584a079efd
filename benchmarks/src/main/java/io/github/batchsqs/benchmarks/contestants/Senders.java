/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.contestants;

import io.awspring.cloud.sqs.operations.SqsTemplate;
import io.github.batchsqs.benchmarks.run.Sending;
import io.github.batchsqs.benchmarks.run.Target;
import io.github.batchsqs.codec.JacksonPayloadCodec;
import io.github.batchsqs.internal.events.MicrometerSenderEvents;
import io.github.batchsqs.internal.sdk.AwsQueueResolver;
import io.github.batchsqs.internal.send.BatchSqsTemplate;
import io.github.batchsqs.internal.send.SendBinding;
import io.github.batchsqs.internal.send.SendObserver;
import io.github.batchsqs.internal.send.SenderResources;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.send.SenderOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.springframework.messaging.Message;
import org.springframework.messaging.support.GenericMessage;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.batchmanager.SqsAsyncBatchManager;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;
import tools.jackson.databind.json.JsonMapper;

/** Ways to send: in a burst, whose futures are joined at the end, or by many callers that each wait for their result. */
public final class Senders {

    private static final Duration BATCH_MANAGER_DEFAULT = Duration.ofMillis(200);

    private Senders() {}

    /** BatchSQS: {@code send}, all futures joined at the end. */
    public static Sending batchSqsBurst(SenderOptions options) {
        return target -> {
            BatchSqsTemplate template = template(target, options);
            return load -> burst(load, index -> template.send(message(target, load, index)));
        };
    }

    /** The same with the meters of a Spring Boot application with the actuator. */
    public static Sending batchSqsBurstWithMeters(SenderOptions options) {
        return target -> {
            BatchSqsTemplate template = metered(target, options);
            return load -> burst(load, index -> template.send(message(target, load, index)));
        };
    }

    /** BatchSQS: one {@code sendAll} of all messages, with meters. */
    public static Sending batchSqsSendAllWithMeters(SenderOptions options) {
        return target -> {
            BatchSqsTemplate template = metered(target, options);
            return load -> sendAll(template, target, load, 0, load.messages());
        };
    }

    /** BatchSQS: {@code sendAndWait} by many callers. */
    public static Sending batchSqsCallers(int callers, SenderOptions options) {
        return target -> {
            BatchSqsTemplate template = template(target, options);
            return load -> Callers.run(callers, load.messages(), index -> {
                var unused = template.sendAndWait(message(target, load, index));
            });
        };
    }

    /** BatchSQS: {@code sendAll} of so many at a time. */
    public static Sending batchSqsSendAll(int size) {
        return target -> {
            BatchSqsTemplate template = template(target, SenderOptions.defaults());
            return load -> {
                for (int from = 0; from < load.messages(); from += size) {
                    sendAll(template, target, load, from, Math.min(from + size, load.messages()));
                }
            };
        };
    }

    /** Spring Cloud AWS: {@code SqsTemplate.sendAsync}, all futures joined at the end. */
    public static Sending springBurst(Clients.Http http) {
        return target -> {
            SqsTemplate template = SqsTemplate.newTemplate(Clients.async(target.endpoint(), http));
            return load -> burst(load, index -> template.sendAsync(target.queue(), load.body(index)));
        };
    }

    /** Spring Cloud AWS: {@code SqsTemplate.send} by many callers. */
    public static Sending springCallers(int callers, Clients.Http http) {
        return target -> {
            SqsTemplate template = SqsTemplate.newTemplate(Clients.async(target.endpoint(), http));
            return load -> Callers.run(callers, load.messages(), index -> {
                var unused = template.send(target.queue(), load.body(index));
            });
        };
    }

    /** Spring Cloud AWS: {@code SqsTemplate.sendMany} of ten, by many callers. */
    public static Sending springSendMany(int callers, Clients.Http http) {
        return target -> {
            SqsTemplate template = SqsTemplate.newTemplate(Clients.async(target.endpoint(), http));
            return load -> Callers.run(callers, load.messages() / 10, batch -> {
                var unused = template.sendMany(
                        target.queue(),
                        IntStream.range(0, 10)
                                .<Message<String>>mapToObj(i -> new GenericMessage<>(load.body(batch * 10 + i)))
                                .toList());
            });
        };
    }

    /** The SDK's batch manager, all futures joined at the end. */
    public static Sending batchManagerBurst(Clients.Http http) {
        return batchManagerBurst(http, BATCH_MANAGER_DEFAULT);
    }

    /** The same with another time after which a batch of fewer than ten leaves; ten are its default and the most. */
    public static Sending batchManagerBurst(Clients.Http http, Duration every) {
        return target -> {
            SqsAsyncBatchManager manager = manager(target, http, every);
            return load -> burst(load, index -> manager.sendMessage(request(target, load, index)));
        };
    }

    /** The SDK's batch manager, used by many callers that wait. */
    public static Sending batchManagerCallers(int callers, Clients.Http http) {
        return target -> {
            SqsAsyncBatchManager manager = manager(target, http, BATCH_MANAGER_DEFAULT);
            return load -> Callers.run(callers, load.messages(), index -> {
                var unused = manager.sendMessage(request(target, load, index)).join();
            });
        };
    }

    /** The floor on the SDK: loops that send ten at a time. */
    public static Sending bareLoops(int loops) {
        return target -> {
            SqsClient sqs = Clients.blocking(target.endpoint());
            return load -> Callers.run(loops, load.messages() / 10, batch -> {
                var unused = sqs.sendMessageBatch(request -> request.queueUrl(target.url())
                        .entries(IntStream.range(0, 10)
                                .mapToObj(i -> SendMessageBatchRequestEntry.builder()
                                        .id(Integer.toString(i))
                                        .messageBody(load.body(batch * 10 + i))
                                        .build())
                                .toList()));
            });
        };
    }

    private static void burst(Sending.Load load, IntFunction<CompletableFuture<?>> send) {
        List<CompletableFuture<?>> futures = new ArrayList<>(load.messages());
        for (int i = 0; i < load.messages(); i++) {
            futures.add(send.apply(i));
        }
        CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new)).join();
    }

    private static void sendAll(BatchSqsTemplate template, Target target, Sending.Load load, int from, int to)
            throws InterruptedException {
        List<OutgoingMessage> messages = IntStream.range(from, to)
                .mapToObj(index -> message(target, load, index))
                .toList();
        if (!template.sendAll(messages).failed().isEmpty()) {
            throw new IllegalStateException("Not all messages were accepted");
        }
    }

    private static BatchSqsTemplate metered(Target target, SenderOptions options) {
        SqsClient sqs = Clients.blocking(target.endpoint());
        return new BatchSqsTemplate(
                options,
                new SenderResources(
                        Clients.direct(sqs),
                        new AwsQueueResolver(sqs),
                        new JacksonPayloadCodec(JsonMapper.shared()),
                        queue -> new MicrometerSenderEvents(Meters.REGISTRY, queue, "default"),
                        SendObserver.NONE,
                        SendBinding.NONE,
                        TimeSource.system(),
                        null));
    }

    private static BatchSqsTemplate template(Target target, SenderOptions options) {
        SqsClient sqs = Clients.blocking(target.endpoint());
        return new BatchSqsTemplate(
                options,
                SenderResources.of(
                        Clients.direct(sqs), new AwsQueueResolver(sqs), new JacksonPayloadCodec(JsonMapper.shared())));
    }

    private static OutgoingMessage message(Target target, Sending.Load load, int index) {
        OutgoingMessage.Builder message = OutgoingMessage.builder(target.queue(), load.body(index));
        return target.queue().endsWith(".fifo")
                ? message.groupId(load.group(index)).build()
                : message.build();
    }

    /** As {@code SqsAsyncClient.batchManager()} builds it, on as many threads. */
    private static SqsAsyncBatchManager manager(Target target, Clients.Http http, Duration every) {
        return SqsAsyncBatchManager.builder()
                .client(Clients.async(target.endpoint(), http))
                .scheduledExecutor(Executors.newScheduledThreadPool(5))
                .overrideConfiguration(settings -> settings.sendRequestFrequency(every))
                .build();
    }

    private static SendMessageRequest request(Target target, Sending.Load load, int index) {
        return SendMessageRequest.builder()
                .queueUrl(target.url())
                .messageBody(load.body(index))
                .build();
    }
}
