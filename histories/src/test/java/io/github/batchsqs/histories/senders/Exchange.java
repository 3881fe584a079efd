/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.senders;

import io.github.batchsqs.histories.senders.SenderPlan.Fault;
import io.github.batchsqs.internal.sdk.NotSentException;
import io.github.batchsqs.model.sqs.ModelQueue;
import io.github.batchsqs.model.sqs.Outcome;
import io.github.batchsqs.model.sqs.Outgoing;
import io.github.batchsqs.model.sqs.Sent;
import io.github.batchsqs.model.sqs.TextPayload;
import io.github.batchsqs.model.time.VirtualTime;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpFullResponse;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;

/** SQS behind an HTTP client without a network: everything above, from the batcher to what is concluded of a response, is the library's own. */
final class Exchange implements SdkHttpClient {

    private static final long BEGIN = TimeUnit.SECONDS.toNanos(VirtualTime.BEGIN.getEpochSecond());
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);
    private static final int RETRY_AFTER = 3_600;

    /** SQS says of each message that it did not store it. */
    private static final Set<Fault> CLEAR =
            EnumSet.of(Fault.THROTTLED, Fault.DENIED, Fault.ENTRY_FAILED, Fault.ENTRY_THROTTLED);

    /** The code of a call that one message spoils. */
    static final String BAD = "InvalidMessageContents";

    /** The code of a call that may not be made at the moment. */
    static final String DENIED = "AccessDenied";

    private final VirtualTime time;
    private final RandomGenerator random;
    private final ModelQueue<TextPayload> queue;
    private final Map<Integer, Fault> faults;
    private final Set<String> bad;
    private final Consumer<String> trace;
    private int attempts;

    /** How often a message was in an attempt whose response was lost or late. */
    final Map<String, Integer> unanswered = new HashMap<>();

    /** The messages of attempts without a response that says of each what became of it. */
    final Set<String> unclear = new HashSet<>();

    Exchange(
            VirtualTime time,
            ModelQueue<TextPayload> queue,
            Map<Integer, Fault> faults,
            Set<String> bad,
            Consumer<String> trace) {
        this.time = time;
        this.random = time.random();
        this.queue = queue;
        this.faults = faults;
        this.bad = bad;
        this.trace = trace;
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
        return new ExecutableHttpRequest() {
            @Override
            public HttpExecuteResponse call() throws IOException {
                try (InputStream body =
                        request.contentStreamProvider().orElseThrow().newStream()) {
                    return exchange(body.readAllBytes(), repeats(request.httpRequest()));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new InterruptedIOException("interrupted");
                }
            }

            @Override
            public void abort() {
                // The deadline interrupts the strand.
            }
        };
    }

    @Override
    public void close() {
        // There is nothing to close.
    }

    /** Returns whether the SDK may repeat the call. It would wait in the time of the machine for as long as a response asks. */
    private static boolean repeats(SdkHttpRequest request) {
        return request.firstMatchingHeader("amz-sdk-request")
                .filter(attempts -> !attempts.endsWith("max=1"))
                .isPresent();
    }

    private HttpExecuteResponse exchange(byte[] request, boolean repeats) throws IOException, InterruptedException {
        int number = ++attempts;
        Fault fault = faults.get(number);
        List<JsonNode> entries =
                JsonNode.parser().parse(request).field("Entries").orElseThrow().asArray();
        List<String> bodies =
                entries.stream().map(entry -> text(entry, "MessageBody")).toList();
        List<String> originals = bodies.stream().map(Bucket::original).toList();
        trace.accept(
                VirtualTime.currentHost() + ", attempt " + number + ": " + bodies + (fault == null ? "" : " " + fault));
        try {
            HttpExecuteResponse response = exchange(fault, entries, originals, repeats);
            if (fault != null && !CLEAR.contains(fault)) {
                unclear.addAll(originals);
            }
            return response;
        } catch (NotSentException e) {
            throw e;
        } catch (IOException | InterruptedException e) {
            unclear.addAll(originals);
            throw e;
        }
    }

    private HttpExecuteResponse exchange(
            @Nullable Fault fault, List<JsonNode> entries, List<String> bodies, boolean repeats)
            throws IOException, InterruptedException {
        if (fault == Fault.DEAD_CONNECTION) {
            throw new IOException("The target server failed to respond");
        }
        if (fault == Fault.UNSENT) {
            throw new NotSentException("There was no connection", null);
        }
        travel();
        if (fault == Fault.LOST_BEFORE) {
            time.sleep(PATIENCE);
            throw new IOException("Read timed out");
        }
        if (fault == Fault.THROTTLED) {
            return response(400, error("RequestThrottled"), false);
        }
        if (fault == Fault.DENIED) {
            return response(403, error(DENIED), false);
        }
        if (fault == Fault.UNAVAILABLE) {
            return response(503, error("ServiceUnavailable"), !repeats);
        }
        if (bodies.stream().anyMatch(bad::contains)) {
            travel();
            return response(400, error(BAD), false);
        }
        String results = results(entries, fault);
        if (fault == Fault.LOST_AFTER || fault == Fault.LATE || fault == Fault.CUT) {
            bodies.forEach(body -> unanswered.merge(body, 1, Integer::sum));
        }
        if (fault == Fault.LOST_AFTER) {
            time.sleep(random.nextBoolean() ? PATIENCE : 1_000_000);
            throw new IOException("Connection reset");
        }
        if (fault == Fault.LATE) {
            time.sleep(random.nextLong(PATIENCE));
        }
        travel();
        return response(200, fault == Fault.CUT ? results.substring(0, results.length() - 5) : results, false);
    }

    private String results(List<JsonNode> entries, @Nullable Fault fault) {
        List<String> successful = new ArrayList<>();
        List<String> failed = new ArrayList<>();
        int odd = fault == Fault.ENTRY_FAILED || fault == Fault.ENTRY_THROTTLED || fault == Fault.ENTRY_MISSING
                ? random.nextInt(entries.size())
                : -1;
        for (int i = 0; i < entries.size(); i++) {
            JsonNode entry = entries.get(i);
            String id = text(entry, "Id");
            if (i == odd && fault != Fault.ENTRY_MISSING) {
                String code = fault == Fault.ENTRY_FAILED ? "InternalError" : "RequestThrottled";
                failed.add("{\"Id\":\"" + id + "\",\"Code\":\"" + code + "\",\"SenderFault\":"
                        + (fault == Fault.ENTRY_THROTTLED) + ",\"Message\":\"the plan wants it\"}");
                continue;
            }
            String body = text(entry, "MessageBody");
            if (i == odd) {
                unanswered.merge(Bucket.original(body), 1, Integer::sum);
                if (random.nextBoolean()) {
                    continue;
                }
            }
            Outcome<Sent> outcome = queue.send(
                    new Outgoing<>(
                            new TextPayload(body),
                            optional(entry, "MessageGroupId"),
                            optional(entry, "MessageDeduplicationId"),
                            null),
                    BEGIN + time.nanos());
            if (outcome instanceof Outcome.Done<Sent> done && i != odd) {
                String sequence = done.value().sequenceNumber();
                successful.add(
                        "{\"Id\":\"" + id + "\",\"MessageId\":\"" + done.value().messageId()
                                + "\",\"MD5OfMessageBody\":\"" + md5(body) + "\""
                                + (sequence == null ? "" : ",\"SequenceNumber\":\"" + sequence + "\"") + "}");
            } else if (outcome instanceof Outcome.Refused<Sent> refused) {
                failed.add("{\"Id\":\"" + id + "\",\"Code\":\"" + refused.code().code() + "\",\"SenderFault\":true}");
            }
        }
        return "{\"Successful\":[" + String.join(",", successful) + "],\"Failed\":[" + String.join(",", failed) + "]}";
    }

    private void travel() throws InterruptedException {
        time.sleep(1 + random.nextLong(30_000_000L));
    }

    private static String error(String code) {
        return "{\"__type\":\"com.amazonaws.sqs#" + code + "\",\"message\":\"the plan wants it\"}";
    }

    private static HttpExecuteResponse response(int status, String body, boolean retryAfter) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        SdkHttpFullResponse.Builder head = SdkHttpFullResponse.builder()
                .statusCode(status)
                .putHeader("x-amzn-RequestId", "1")
                .putHeader("Content-Type", "application/x-amz-json-1.0")
                .putHeader("Content-Length", String.valueOf(bytes.length));
        if (retryAfter) {
            head.putHeader("Retry-After", String.valueOf(RETRY_AFTER));
        }
        return HttpExecuteResponse.builder()
                .response(head.build())
                .responseBody(AbortableInputStream.create(new ByteArrayInputStream(bytes)))
                .build();
    }

    private static String text(JsonNode entry, String field) {
        return entry.field(field).orElseThrow().asString();
    }

    private static @Nullable String optional(JsonNode entry, String field) {
        return entry.field(field).map(JsonNode::asString).orElse(null);
    }

    private static String md5(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
