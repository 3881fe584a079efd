/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import io.github.batchsqs.client.HttpClientOptions;
import io.github.batchsqs.internal.http.PooledHttpClient;
import io.github.batchsqs.testkit.ScriptedHttpServer.Response;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import software.amazon.awssdk.http.SdkHttpClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A queue server over HTTP that records what it stores, and treats requests badly by chance: it loses them, or their responses,
 * throttles, refuses entries, closes connections. Each queue has a {@link History} of its own. The attribute {@code n} names a message.
 */
public final class SendingOracle implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int FAULTS = 10;
    private static final List<Fault> ALL = List.of(Fault.values());

    private final ConcurrentMap<String, History> histories = new ConcurrentHashMap<>();
    private final ScriptedHttpServer server = new ScriptedHttpServer(this::respond);
    private final boolean closes;

    /** Starts a server; it closes connections that clients keep, or does not. */
    public SendingOracle(boolean closes) {
        this.closes = closes;
    }

    public URI endpoint() {
        return server.endpoint();
    }

    /** Begins the history of a queue. */
    public History history(String queue, long seed) {
        History history = new History(seed, closes);
        histories.put(queue, history);
        return history;
    }

    /** Ends the history of a queue. */
    public void forget(String queue) {
        histories.remove(queue);
    }

    /** Returns the HTTP client that the auto-configuration makes. */
    public static SdkHttpClient http() {
        return new PooledHttpClient(HttpClientOptions.defaults(), Duration.ofSeconds(30));
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    private Response respond(ScriptedHttpServer.Request request) {
        JsonNode json = JSON.readTree(request.body());
        String url = json.get("QueueUrl").asString();
        return Objects.requireNonNull(histories.get(url.substring(url.lastIndexOf('/') + 1)))
                .respond(json);
    }

    private enum Fault {
        NONE,
        LOST_BEFORE,
        LOST_AFTER,
        CUT,
        THROTTLED,
        UNAVAILABLE,
        ENTRIES,
        SLOW,
        /** The response is whole, and then the connection closes without a word. */
        CLOSED
    }

    /** What the server did with the messages of a queue. Safe for use by any thread. */
    public static final class History {

        private final Random random;
        private final List<String> stored = new ArrayList<>();
        private final Map<String, String> storedById = new HashMap<>();
        private final Map<String, List<String>> groups = new HashMap<>();
        private final Map<String, Integer> lost = new HashMap<>();
        private final Map<String, List<Fault>> attempts = new HashMap<>();
        private final Set<String> unclear = new HashSet<>();
        private final boolean closes;
        private int faults;
        private int inFlight;

        History(long seed, boolean closes) {
            this.random = new Random(seed);
            this.closes = closes;
        }

        private Response respond(JsonNode call) {
            begin();
            try {
                return answered(call);
            } finally {
                end();
            }
        }

        private synchronized void begin() {
            inFlight++;
        }

        private synchronized void end() {
            inFlight--;
        }

        /** Waits until no request is being looked at: those of interrupted calls may be. */
        public void awaitEnd() {
            Progress.until(this::inFlight, 0);
        }

        private synchronized int inFlight() {
            return inFlight;
        }

        private Response answered(JsonNode call) {
            Fault fault = fault();
            if (fault == Fault.SLOW) {
                try {
                    Thread.sleep(3);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            return treated(call, fault);
        }

        private synchronized Fault fault() {
            if (faults >= FAULTS || random.nextInt(100) >= 45) {
                return Fault.NONE;
            }
            faults++;
            return ALL.get(random.nextInt(ALL.size()));
        }

        private synchronized Response treated(JsonNode call, Fault fault) {
            List<JsonNode> entries = new ArrayList<>();
            call.get("Entries").forEach(entries::add);
            List<String> names = entries.stream().map(History::name).toList();
            names.forEach(name ->
                    attempts.computeIfAbsent(name, key -> new ArrayList<>()).add(fault));
            boolean poisoned = names.stream().anyMatch(name -> name.startsWith("poison"));
            return switch (fault) {
                case LOST_BEFORE -> {
                    unclear.addAll(names);
                    yield new Response(new byte[0], true);
                }
                case UNAVAILABLE -> {
                    unclear.addAll(names);
                    yield error(503, "ServiceUnavailable", List.of("Retry-After: 1"));
                }
                case THROTTLED -> error(400, "RequestThrottled", List.of());
                default -> {
                    if (poisoned) {
                        yield error(400, "InvalidMessageContents", List.of());
                    }
                    yield taken(entries, fault);
                }
            };
        }

        private Response taken(List<JsonNode> entries, Fault fault) {
            List<String> successful = new ArrayList<>();
            List<String> failed = new ArrayList<>();
            for (JsonNode entry : entries) {
                String id = entry.get("Id").asString();
                String name = name(entry);
                if (name.startsWith("bad")) {
                    failed.add(failure(id, "InvalidMessageContents", true));
                } else if (fault == Fault.ENTRIES && random.nextInt(3) == 0) {
                    failed.add(failure(id, "InternalError", false));
                } else {
                    successful.add("{\"Id\":\"" + id + "\",\"MessageId\":\"" + store(entry, name) + "\"}");
                    if (fault == Fault.LOST_AFTER || fault == Fault.CUT) {
                        lost.merge(name, 1, Integer::sum);
                    }
                }
                if (fault == Fault.LOST_AFTER || fault == Fault.CUT) {
                    unclear.add(name);
                }
            }
            Response response = Response.of(
                    200,
                    List.of("Content-Type: application/x-amz-json-1.0"),
                    ("{\"Successful\":[" + String.join(",", successful) + "],\"Failed\":[" + String.join(",", failed)
                                    + "]}")
                            .getBytes(StandardCharsets.UTF_8));
            return switch (fault) {
                case LOST_AFTER -> new Response(new byte[0], true);
                case CUT -> response.cutAfter(response.bytes().length - 5);
                case CLOSED -> new Response(response.bytes(), closes);
                default -> response;
            };
        }

        private String store(JsonNode entry, String name) {
            JsonNode deduplicationId = entry.get("MessageDeduplicationId");
            if (deduplicationId != null) {
                String known = storedById.get(deduplicationId.asString());
                if (known != null) {
                    return known;
                }
            }
            String id = UUID.randomUUID().toString();
            stored.add(name);
            if (deduplicationId != null) {
                storedById.put(deduplicationId.asString(), id);
                groups.computeIfAbsent(entry.get("MessageGroupId").asString(), key -> new ArrayList<>())
                        .add(name);
            }
            return id;
        }

        private static String name(JsonNode entry) {
            return entry.get("MessageAttributes").get("n").get("StringValue").asString();
        }

        private static String failure(String id, String code, boolean senderFault) {
            return "{\"Id\":\"" + id + "\",\"Code\":\"" + code + "\",\"SenderFault\":" + senderFault + "}";
        }

        private static Response error(int status, String code, List<String> headers) {
            return Response.of(
                    status,
                    headers,
                    ("{\"__type\":\"com.amazonaws.sqs#" + code + "\"}").getBytes(StandardCharsets.UTF_8));
        }

        /** Returns how often the message was stored. */
        public synchronized int stored(String name) {
            return (int) stored.stream().filter(name::equals).count();
        }

        /** Returns how many responses about the stored message were lost. */
        public synchronized int lostAfterStoring(String name) {
            return lost.getOrDefault(name, 0);
        }

        /** Returns whether an attempt may have left its caller without knowledge of the message. */
        public synchronized boolean unclear(String name) {
            return unclear.contains(name) || closes;
        }

        /** Returns what happened to the attempts that carried the message. */
        public synchronized String attempts(String name) {
            return String.valueOf(attempts.get(name));
        }

        /** Returns the groups whose messages were not stored in the order of their numbers. */
        public synchronized List<String> outOfOrder() {
            return groups.entrySet().stream()
                    .filter(each -> {
                        List<Integer> numbers = each.getValue().stream()
                                .map(name -> Integer.parseInt(name.substring(name.indexOf(' ') + 1)))
                                .toList();
                        return !numbers.equals(numbers.stream().sorted().toList());
                    })
                    .map(Object::toString)
                    .toList();
        }

        @Override
        public synchronized String toString() {
            return faults + " faults, stored " + stored;
        }
    }
}
