/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** Runs one row in this JVM: warms up with the same work, then measures. */
public final class RowRunner {

    private static final double FULL_SPEED = 0.9;
    private static final long SETTLE_MILLIS = 300;
    private static final Duration REST = Duration.ofSeconds(45);

    private final Row row;
    private final ControlClient control;
    private final Target target;
    private final int warmUpSeconds;
    private final Runnable whenWarm;

    /**
     * Prepares it.
     *
     * @param warmUpSeconds how long the warm-up's work is repeated; some work has none, because latency determines its speed
     * @param whenWarm is run when the warm-up is over
     */
    public RowRunner(Row row, URI endpoint, int warmUpSeconds, Runnable whenWarm) {
        this.row = row;
        this.whenWarm = whenWarm;
        this.warmUpSeconds = row.warm() ? warmUpSeconds : 0;
        this.control = new ControlClient(endpoint);
        boolean fifo = switch (row.work()) {
            case Work.Drain drain -> drain.fifo();
            case Work.Send send -> send.fifo();
            case Work.Trickle trickle -> false;
        };
        String queue = "q" + ProcessHandle.current().pid() + "-" + System.nanoTime() + (fifo ? ".fifo" : "");
        this.target = new Target(endpoint, queue, endpoint + "/000000000000/" + queue);
    }

    /** Blocks until the row is done. Leaves clients and listeners as they are: the process ends with the row. */
    public Measurement run() throws Exception {
        JsonNode unused = control.send(
                "conditions?latencyMicros=%d&connectMicros=%d".formatted(row.latencyMicros(), row.connectMicros()));
        unused = control.send("create?queue=%s".formatted(target.queue()));
        Measurement measurement = switch (row.work()) {
            case Work.Drain drain -> drain(drain);
            case Work.Trickle trickle -> trickle(trickle);
            case Work.Send send -> send(send);
        };
        unused = control.send("drop?queue=%s".formatted(target.queue()));
        return measurement;
    }

    private Measurement drain(Work.Drain work) throws Exception {
        MessageHandler handler = handler(work.handler());
        listening().start(target, handler);
        long until = System.nanoTime() + warmUpSeconds * 1_000_000_000L;
        while (work.warmUp() > 0) {
            Meter start = Meter.read();
            fill(work.warmUp(), work.bytes());
            JsonNode stats = awaitDeletes(work.warmUp(), work.windowSeconds());
            System.err.println("Warm-up: " + measurement(start, stats, "deleted", "lastDeleteMicros", new Delays()));
            if (System.nanoTime() - until > 0) {
                break;
            }
        }
        if (work.rest()) {
            rest();
        }
        TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
        whenWarm.run();
        Meter before = Meter.read();
        fill(work.messages(), work.bytes());
        JsonNode stats = awaitDeletes(work.messages(), work.windowSeconds());
        return measurement(before, stats, "deleted", "lastDeleteMicros", new Delays());
    }

    private void rest() throws IOException, InterruptedException {
        long until = System.nanoTime() + REST.toNanos();
        while (control.send("stats").get("openReceives").asInt() > 1 && until - System.nanoTime() > 0) {
            TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
        }
    }

    private Measurement trickle(Work.Trickle work) throws Exception {
        Delays delays = new Delays();
        listening().start(target, delays);
        JsonNode unused = trickle(work, work.perSecond() * Math.max(2, work.seconds() / 3));
        delays.forget();
        whenWarm.run();
        Meter before = Meter.read();
        JsonNode stats = trickle(work, work.perSecond() * work.seconds());
        return measurement(before, stats, "deleted", "lastDeleteMicros", delays);
    }

    private JsonNode trickle(Work.Trickle work, int messages) throws IOException {
        JsonNode unused = control.send("reset");
        unused = control.send("trickle?queue=%s&perSecond=%d&messages=%d&bytes=%d"
                .formatted(target.queue(), work.perSecond(), messages, work.bytes()));
        return awaitDeletes(messages, 10 + 2 * messages / work.perSecond());
    }

    private Measurement send(Work.Send work) throws Exception {
        Sending.Sender sender =
                Objects.requireNonNull(row.contestant().sending()).open(target);
        long until = System.nanoTime() + warmUpSeconds * 1_000_000_000L;
        int first = 0;
        while (work.warmUp() > 0) {
            sender.send(new Sending.Load(work.warmUp(), work.bytes(), work.groups(), first));
            first += work.warmUp();
            if (System.nanoTime() - until > 0) {
                break;
            }
        }
        TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
        whenWarm.run();
        Meter before = Meter.read();
        JsonNode unused = control.send("reset");
        sender.send(new Sending.Load(work.messages(), work.bytes(), work.groups(), first));
        JsonNode stats = control.send("stats");
        return measurement(before, stats, "sent", "lastSendMicros", new Delays());
    }

    private void fill(int messages, int bytes) throws IOException {
        JsonNode unused = control.send("reset");
        unused = control.send(
                "fill?queue=%s&messages=%d&bytes=%d&groups=100".formatted(target.queue(), messages, bytes));
    }

    private JsonNode awaitDeletes(int messages, int seconds) throws IOException {
        return control.send("await?deleted=%d&withinMillis=%d".formatted(messages, seconds * 1000L));
    }

    private Measurement measurement(Meter before, JsonNode stats, String counter, String clock, Delays delays)
            throws IOException {
        Meter after = Meter.read();
        long messages = stats.get(counter).asLong();
        double done = Math.max(1, messages);
        double seconds = stats.get(clock).asLong() / 1e6;
        Map<String, Long> calls = new LinkedHashMap<>();
        stats.get("calls")
                .properties()
                .forEach(each -> calls.put(each.getKey(), each.getValue().asLong()));
        return new Measurement(
                row.name(),
                messages,
                seconds,
                messages / seconds,
                (after.cpuNanos() - before.cpuNanos()) / 1e3 / done,
                (after.allocatedBytes() - before.allocatedBytes()) / done,
                Meter.peakRssMiB(),
                stats.get("totalCalls").asLong() / done,
                calls,
                delays.percentileMillis(0.5),
                delays.percentileMillis(0.99),
                roundTripsToFullSpeed(stats),
                stats.get("serverCpuNanosPerCall").asLong() / 1e3,
                Meter.load());
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
        };
    }

    private void callSlowServer() {
        try (InputStream response =
                target.endpoint().resolve("/control/slow?millis=300").toURL().openStream()) {
            byte[] unused = response.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
