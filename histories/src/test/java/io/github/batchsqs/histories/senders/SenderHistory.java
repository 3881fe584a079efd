/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.senders;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueAttributes;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.histories.SeededHistory;
import io.github.batchsqs.histories.Texts;
import io.github.batchsqs.histories.laws.Broken;
import io.github.batchsqs.histories.senders.SenderPlan.AttemptFault;
import io.github.batchsqs.histories.senders.SenderPlan.Client;
import io.github.batchsqs.histories.senders.SenderPlan.Fault;
import io.github.batchsqs.histories.senders.SenderPlan.Send;
import io.github.batchsqs.histories.senders.SenderPlan.Step;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.direct.DirectQueueClient;
import io.github.batchsqs.internal.events.SenderEvents;
import io.github.batchsqs.internal.sdk.AwsQueueClient;
import io.github.batchsqs.internal.send.BatchSqsTemplate;
import io.github.batchsqs.internal.send.SendBinding;
import io.github.batchsqs.internal.send.SendObserver;
import io.github.batchsqs.internal.send.SenderResources;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.model.sqs.ModelQueue;
import io.github.batchsqs.model.sqs.Observer;
import io.github.batchsqs.model.sqs.QueueSettings;
import io.github.batchsqs.model.sqs.SqsModel;
import io.github.batchsqs.model.sqs.Stored;
import io.github.batchsqs.model.sqs.TextPayload;
import io.github.batchsqs.model.time.VirtualTime;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.send.SenderOptions;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.services.sqs.SqsClient;

/** One history of a template: everything that it says must be true. */
final class SenderHistory extends SeededHistory {

    /** A call that is under way when the time of its message runs out may end. */
    private static final long LAST_CALL = 25 * SECOND;

    /** The attempts of the SDK's standard strategy. */
    private static final int SDK_ATTEMPTS = 3;

    /** What direct calls take from a client of the SDK, which makes none itself. */
    static final SqsClient CONFIGURATION = sdk(new NoHttp(), AwsRetryStrategy.doNotRetry());

    private final SenderPlan plan;
    private final Map<String, Integer> stored = new HashMap<>();
    private final List<String> order = new ArrayList<>();
    private final Map<String, Send> sends = new LinkedHashMap<>();
    private final Map<String, String> said = new LinkedHashMap<>();
    private final Map<String, SendFailedException> failures = new HashMap<>();
    private final Exchange exchange;
    private final Bucket bucket;
    private final String queueName;
    private long closed = Long.MAX_VALUE;

    private SenderHistory(SenderPlan plan, List<String> trace) {
        super(plan.seed(), trace);
        this.plan = plan;
        this.queueName = plan.fifo() ? "sent.fifo" : "sent";
        this.bucket = new Bucket(time);
        SqsModel<TextPayload> model = new SqsModel<>(new Observer<>() {
            @Override
            public void sent(ModelQueue<TextPayload> where, Stored<TextPayload> message) {
                String body = Bucket.original(message.payload().body());
                stored.merge(body, 1, Integer::sum);
                order.add(body);
                if (!bucket.hasPayloadOf(message.payload().body())) {
                    breaks("What is stored has its payload in the bucket.", body + " has none");
                }
            }
        });
        Map<Integer, Fault> faults = new HashMap<>();
        Set<String> bad = new HashSet<>();
        for (Step step : plan.steps()) {
            switch (step) {
                case AttemptFault fault -> faults.put(fault.number(), fault.fault());
                case Send send -> {
                    sends.put(send.body(), send);
                    if (send.bad()) {
                        bad.add(send.body());
                    }
                }
            }
        }
        this.exchange = new Exchange(time, model.create(queueName, QueueSettings.DEFAULT), faults, bad, this::note);
    }

    /** Runs a plan, and returns the law that it breaks, or {@code null}. */
    static @Nullable Throwable run(SenderPlan plan, List<String> trace) {
        return new SenderHistory(plan, trace).failure();
    }

    @Override
    protected void run() {
        VirtualTime.Host host = time.host("sender", 2);
        Thread unused = time.startPlatform(host, "begin", () -> begin(host));
        pass(Duration.ofMinutes(15).toNanos());
        check();
    }

    private void begin(VirtualTime.Host host) {
        SenderOptions options = SenderOptions.builder()
                .deliveryTimeout(Duration.ofSeconds(plan.deliverySeconds()))
                .linger(Duration.ofMillis(plan.lingerMillis()))
                .maxInFlight(plan.maxInFlight())
                .build();
        BatchSqsTemplate template = new BatchSqsTemplate(
                options,
                new SenderResources(
                        client(),
                        new Known(),
                        new Texts(),
                        queue -> SenderEvents.NONE,
                        SendObserver.NONE,
                        SendBinding.NONE,
                        TimeSource.system(),
                        plan.bucket() ? bucket : null));
        for (Send send : sends.values()) {
            at(send.at(), () -> {
                Thread unused = time.startPlatform(host, "send", () -> send(template, send));
            });
        }
        at(plan.closeAt() * SECOND, () -> {
            Thread unused = time.startPlatform(host, "close", () -> {
                closed = time.nanos();
                template.close();
                note("closed");
            });
        });
        at(Duration.ofMinutes(14).toNanos(), () -> {
            if (template.bufferedBytes() != 0) {
                breaks("The buffer is empty in the end.", template.bufferedBytes() + " bytes are in it");
            }
        });
    }

    private QueueClient client() {
        return switch (plan.client()) {
            case DIRECT -> new DirectQueueClient(CONFIGURATION, exchange);
            case SDK -> new AwsQueueClient(sdk(exchange, AwsRetryStrategy.doNotRetry()));
            case SDK_WITH_RETRIES ->
                new AwsQueueClient(sdk(
                        exchange,
                        AwsRetryStrategy.standardRetryStrategy().toBuilder()
                                .maxAttempts(SDK_ATTEMPTS)
                                .backoffStrategy(BackoffStrategy.retryImmediately())
                                .throttlingBackoffStrategy(BackoffStrategy.retryImmediately())
                                .circuitBreakerEnabled(false)
                                .build()));
        };
    }

    private static SqsClient sdk(SdkHttpClient http, RetryStrategy retries) {
        return SqsClient.builder()
                .region(Region.EU_CENTRAL_1)
                .endpointOverride(URI.create("http://sqs.example"))
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("key", "secret")))
                .httpClient(http)
                .overrideConfiguration(override -> override.retryStrategy(retries))
                .build();
    }

    private void send(BatchSqsTemplate template, Send send) {
        if (time.nanos() >= closed) {
            sends.remove(send.body());
            return;
        }
        OutgoingMessage message = OutgoingMessage.builder(queueName, send.body())
                .groupId(send.group())
                .deduplicationId(send.group() == null ? null : send.body())
                .build();
        var ignored = template.send(message).whenComplete((result, failure) -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            if (cause instanceof SendFailedException failed) {
                said.put(send.body(), failed.delivery().name());
                failures.put(send.body(), failed);
            } else {
                said.put(send.body(), cause == null ? "SENT" : "FAILED " + cause);
            }
            note(send.body() + ": " + said.get(send.body()) + (cause == null ? "" : " " + cause));
            int attempts = plan.client() == Client.SDK_WITH_RETRIES ? SDK_ATTEMPTS : 1;
            long bound = send.at() + plan.deliverySeconds() * SECOND + attempts * LAST_CALL;
            if (time.nanos() > bound) {
                breaks(
                        "Every future ends within its bound.",
                        send.body() + " took " + (time.nanos() - send.at()) / SECOND + " s");
            }
        });
    }

    // ---- the laws

    private void check() {
        for (Send send : sends.values()) {
            String body = send.body();
            int copies = stored.getOrDefault(body, 0);
            String verdict = said.get(body);
            SendFailedException failure = failures.get(body);
            if (verdict == null) {
                throw new Broken("Every future ends within its bound.", body + " has no result");
            }
            if (verdict.equals("SENT") && copies == 0) {
                throw new Broken("What is said to be sent is stored.", body + " is not");
            }
            if ((verdict.equals("REFUSED") || verdict.equals("NOT_SENT")) && copies > 0) {
                throw new Broken(
                        "What is said to be refused, or not sent, is not stored.",
                        body + " is stored, but: " + failure);
            }
            if (verdict.equals("UNKNOWN") && !exchange.unclear.contains(body) && mayTell()) {
                throw new Broken("Nothing is unknown of which every response told.", body + " is: " + failure);
            }
            if (copies > 0 && bucket.isDiscarded(body)) {
                throw new Broken("What is stored has its payload in the bucket.", body + " lost it: " + failure);
            }
            if (!send.bad() && failure != null && !outOfTime(send, failure)) {
                throw new Broken(
                        "Nothing fails for its neighbours: only what is bad, denied, or out of time.",
                        body + " failed: " + failure);
            }
            int most = 1 + exchange.unanswered.getOrDefault(body, 0);
            if (copies > (plan.fifo() ? 1 : most)) {
                throw new Broken(
                        "A message is stored once, and once more for each response that is lost.",
                        body + " is stored " + copies + " times");
            }
        }
        if (plan.fifo()) {
            checkOrder();
        }
    }

    /** Returns whether unclear are only messages whose own attempts were: the SDK says nothing of those that it repeats. */
    private boolean mayTell() {
        return plan.client() != Client.SDK_WITH_RETRIES;
    }

    private boolean outOfTime(Send send, SendFailedException failure) {
        return switch (failure.code()) {
            case SendFailedException.DELIVERY_TIMEOUT,
                    SendFailedException.CLOSED,
                    SendFailedException.OUT_OF_ORDER,
                    Exchange.DENIED -> true;
            case Exchange.BAD -> false;
            default ->
                time.nanos() > send.at()
                        && (endedLate(failure)
                                || closed < Duration.ofMinutes(14).toNanos());
        };
    }

    /** The last failure is that of the last attempt before the time ran out. */
    private static boolean endedLate(SendFailedException failure) {
        return failure.retryable();
    }

    private void checkOrder() {
        Map<String, Long> last = new HashMap<>();
        for (String body : order) {
            Send send = sends.get(body);
            if (send == null || send.group() == null) {
                continue;
            }
            long before = last.getOrDefault(send.group(), -1L);
            if (send.at() < before) {
                throw new Broken(
                        "Stored messages of a group are in the order in which they were sent.",
                        body + " is stored behind a later one: " + order);
            }
            last.put(send.group(), send.at());
        }
    }

    private static final class NoHttp implements SdkHttpClient {

        @Override
        public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
            throw new UnsupportedOperationException("Calls are direct");
        }

        @Override
        public void close() {
            // There is nothing to close.
        }
    }

    static class Known implements QueueResolver {

        @Override
        public Queue resolve(String name) throws InterruptedException {
            return new Queue(name, "http://sqs.example/1/" + name);
        }

        @Override
        public Queue create(String name) throws InterruptedException {
            return resolve(name);
        }

        @Override
        public QueueAttributes attributes(Queue queue) {
            throw new UnsupportedOperationException(queue.name());
        }
    }
}
