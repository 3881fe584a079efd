/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.run;

import io.github.batchsqs.benchmarks.run.Rounds.Once;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Runs one row in this JVM: warms up with the same work, then measures a round whenever it is told to. Between its rounds the
 * contestant has nothing to do but to wait for messages. Not for several threads at once.
 */
public final class RowRunner {

    private static final double FULL_SPEED = 0.9;
    private static final long SETTLE_MILLIS = 300;
    private static final Duration REST = Duration.ofSeconds(45);

    private final Row row;
    private final URI endpoint;
    private final ControlClient control;
    private final Target target;
    private final Durations delays = new Durations();
    private final Durations latencies = new Durations();
    private final Rounds rounds;
    private @Nullable WarmUp warmUp;
    private Meter rested;
    private long restedAt;

    /**
     * Starts the contestant on a queue of its own. It ends with the process.
     *
     * @param endpoint of the simulated SQS, without TLS
     * @param served where the contestant makes its calls; the same, or the port with TLS
     */
    public RowRunner(Row row, URI endpoint, URI served) throws Exception {
        this.row = row;
        this.endpoint = endpoint;
        this.control = new ControlClient(endpoint);
        boolean fifo = switch (row.work()) {
            case Work.Drain drain -> drain.fifo();
            case Work.Send send -> send.fifo();
            case Work.Trickle trickle -> false;
        };
        String queue = "q" + ProcessHandle.current().pid() + "-" + System.nanoTime() + (fifo ? ".fifo" : "");
        this.target = new Target(served, queue, served + "/000000000000/" + queue);
        JsonNode unused = control.send(
                "conditions?latencyMicros=%d&connectMicros=%d".formatted(row.latencyMicros(), row.connectMicros()));
        unused = control.send("create?queue=%s".formatted(target.queue()));
        Once once = switch (row.work()) {
            case Work.Drain drain -> draining(drain);
            case Work.Trickle trickle -> trickling(trickle);
            case Work.Send send -> sending(send);
        };
        this.rounds = new Rounds(row.work(), once, System::nanoTime);
        this.rested = Meter.read();
    }

    /**
     * Warms up.
     *
     * @param most rounds, for work whose speed depends on it
     */
    public void warmUp(int most) throws Exception {
        warmUp = rounds.warmUp(row.warm() ? most : 0);
        rest();
    }

    /** Measures one round. */
    public Measurement measure() throws Exception {
        double idle = Meter.read().cpuNanos() - rested.cpuNanos();
        double idleCpu = idle / Math.max(1, System.nanoTime() - restedAt);
        if (row.warm()) {
            rounds.wake();
        }
        if (row.work() instanceof Work.Drain drain && drain.rest()) {
            awaitRest();
        }
        TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
        Round round = rounds.measure();
        rest();
        return new Measurement(row.name(), warmUp, List.of(round), Meter.peakRssMiB(), Meter.load(), idleCpu);
    }

    private void rest() throws IOException {
        rested = Meter.read();
        restedAt = System.nanoTime();
    }

    private Once draining(Work.Drain work) throws Exception {
        MessageHandler handler = handler(work.handler());
        listening().start(target, work.handler().calls() ? new TimedHandler(handler, latencies) : handler);
        return messages -> {
            empty();
            latencies.forget();
            Meter before = Meter.read();
            JsonNode unused = control.send(
                    "fill?queue=%s&messages=%d&bytes=%d&groups=100".formatted(target.queue(), messages, work.bytes()));
            return round(before, awaitDeletes(messages, work.windowSeconds()), "deleted", "lastDeleteMicros");
        };
    }

    private void awaitRest() throws IOException, InterruptedException {
        long until = System.nanoTime() + REST.toNanos();
        while (control.send("stats").get("openReceives").asInt() > 1 && until - System.nanoTime() > 0) {
            TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
        }
    }

    private Once trickling(Work.Trickle work) throws Exception {
        listening().start(target, new Delays(delays));
        return messages -> {
            delays.forget();
            empty();
            Meter before = Meter.read();
            JsonNode unused = control.send("trickle?queue=%s&perSecond=%d&messages=%d&bytes=%d"
                    .formatted(target.queue(), work.perSecond(), messages, work.bytes()));
            JsonNode stats = awaitDeletes(messages, 10 + 2 * messages / work.perSecond());
            return round(before, stats, "deleted", "lastDeleteMicros");
        };
    }

    /** Each round has an empty queue, so that the simulated SQS does not grow. */
    private Once sending(Work.Send work) throws Exception {
        Sending.Sender sender =
                Objects.requireNonNull(row.contestant().sending()).open(target);
        AtomicInteger sent = new AtomicInteger();
        return messages -> {
            JsonNode unused = control.send("drop?queue=%s".formatted(target.queue()));
            unused = control.send("create?queue=%s".formatted(target.queue()));
            unused = control.send("reset?queue=%s".formatted(target.queue()));
            Meter before = Meter.read();
            sender.send(new Sending.Load(messages, work.bytes(), work.groups(), sent.getAndAdd(messages)));
            return round(before, control.send("stats"), "sent", "lastSendMicros");
        };
    }

    /** A round does not begin with what the one before has left, and counts its own calls alone. */
    private void empty() throws IOException {
        JsonNode unused = control.send("purge?queue=%s".formatted(target.queue()));
        unused = control.send("reset?queue=%s".formatted(target.queue()));
    }

    private JsonNode awaitDeletes(int messages, int seconds) throws IOException {
        return control.send("await?deleted=%d&withinMillis=%d".formatted(messages, seconds * 1000L));
    }

    private Round round(Meter before, JsonNode stats, String counter, String clock) throws IOException {
        Meter after = Meter.read();
        long messages = stats.get(counter).asLong();
        double done = Math.max(1, messages);
        double seconds = stats.get(clock).asLong() / 1e6;
        Map<String, Long> calls = new LinkedHashMap<>();
        stats.get("calls")
                .properties()
                .forEach(each -> calls.put(each.getKey(), each.getValue().asLong()));
        return new Round(
                messages,
                seconds,
                messages == 0 ? 0 : messages / seconds,
                (after.cpuNanos() - before.cpuNanos()) / 1e3 / done,
                (after.allocatedBytes() - before.allocatedBytes()) / done,
                stats.get("totalCalls").asLong() / done,
                calls,
                delays.percentileMillis(0.5),
                delays.percentileMillis(0.99),
                roundTripsToFullSpeed(stats),
                stats.get("serverCpuNanos").asLong() / 1e3 / done,
                HandlerLatency.of(latencies, seconds));
    }

    private double roundTripsToFullSpeed(JsonNode stats) {
        long most = stats.get("mostOpenReceives").asLong();
        for (JsonNode peak : stats.get("openReceivePeaks")) {
            if (peak.get(1).asLong() >= FULL_SPEED * most) {
                return (peak.get(0).asLong() - stats.get("firstReceiveMicros").asLong()) / (double) row.latencyMicros();
            }
        }
        return 0;
    }

    private Listening listening() {
        return Objects.requireNonNull(row.contestant().listening());
    }

    private MessageHandler handler(Work.Handler kind) {
        return switch (kind) {
            case NOTHING -> bodies -> {};
            case SLEEP_10_MS -> bodies -> TimeUnit.MILLISECONDS.sleep(10);
            case CALL_300_MS ->
                bodies -> {
                    for (String unused : bodies) {
                        callSlowServer();
                    }
                };
            case CALL_20_MS_POOL_OF_10 -> new PooledCalls(endpoint.resolve("/control/slow?millis=20"));
        };
    }

    private void callSlowServer() {
        try (InputStream response =
                endpoint.resolve("/control/slow?millis=300").toURL().openStream()) {
            byte[] unused = response.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
