/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.cluster;

import io.github.batchsqs.benchmarks.cluster.Autoscaler.Settings;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import tools.jackson.databind.JsonNode;

/**
 * A day in two minutes: a second here is {@value #SECONDS} seconds of the day. The handler's 50 ms are 36 s there, the autoscaler looks every 15 s of the day, and
 * a pod starts and stops as fast as a listener does, which is within minutes of the day.
 *
 * @param name of the row
 * @param what it is, for people
 * @param settings of the autoscaler
 */
record Day(String name, String what, Settings settings) {

    static final int SECONDS = 720;

    private static final int HOURS = 24;
    private static final long MILLIS_PER_HOUR = 3_600_000;
    private static final long SEGMENT_MILLIS = 250;
    private static final int PODS = 16;
    private static final int PEAK_PER_SECOND = 2_400;
    private static final int HANDLER_MILLIS = 50;
    private static final double MILLIS_PER_MINUTE = 60e3;
    private static final double DOLLARS_PER_MILLION = 0.4;

    /** The load at each full hour, in percent of the peak. */
    private static final int[] CURVE = {
        8, 6, 5, 5, 6, 10, 20, 40, 65, 90, 100, 95, 80, 85, 95, 90, 80, 70, 60, 55, 45, 30, 20, 12, 8
    };

    /**
     * What a day has measured.
     *
     * @param row its name
     * @param what it is, for people
     * @param messages of the day
     * @param podHours of the day, per million messages
     * @param highestPods at once
     * @param changes of the number of pods
     * @param callsPerMessage of the listeners
     * @param dollarsPerMillion of these calls
     * @param delayP50Minutes of the day
     * @param delayP99Minutes the same
     * @param lost messages
     * @param repeated runs
     */
    record Result(
            String row,
            String what,
            long messages,
            double podHours,
            int highestPods,
            int changes,
            double callsPerMessage,
            double dollarsPerMillion,
            double delayP50Minutes,
            double delayP99Minutes,
            long lost,
            long repeated) {}

    /** A pod does 320 messages a second at these handlers. */
    static List<Day> all() {
        return List.of(
                new Day("day/5", "`queueLength` 5, the default", Settings.of(5, PODS)),
                new Day("day/53", "53: messages may wait 2 minutes", Settings.of(53, PODS)),
                new Day("day/267", "267: messages may wait 10 minutes", Settings.of(267, PODS)),
                new Day(
                        "day/53-visible",
                        "53, `scaleOnInFlight: \"false\"`",
                        new Settings(53, 0, false, 1, PODS, 30_000, 300_000, 300_000)));
    }

    /** Returns the messages per second at a moment of the day. */
    static int perSecond(long dayMillis) {
        int hour = (int) Math.min(HOURS - 1, dayMillis / MILLIS_PER_HOUR);
        double part = (double) (dayMillis - hour * MILLIS_PER_HOUR) / MILLIS_PER_HOUR;
        double percent = CURVE[hour] + part * (CURVE[hour + 1] - CURVE[hour]);
        return (int) Math.round(percent * PEAK_PER_SECOND / 100);
    }

    Result run(Cluster cluster) throws IOException, InterruptedException {
        cluster.conditions("");
        cluster.create("cluster", "");
        cluster.listen("standard", 1);
        JsonNode unused = cluster.control("reset?queue=cluster");
        try (SqsClient sqs = SqsClient.builder()
                .endpointOverride(URI.create(cluster.endpoint()))
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                .httpClientBuilder(Apache5HttpClient.builder())
                .build()) {
            return run(cluster, sqs);
        }
    }

    private Result run(Cluster cluster, SqsClient sqs) throws IOException, InterruptedException {
        Autoscaler scaler = new Autoscaler(settings, 0);
        String url = cluster.endpoint() + "/000000000000/cluster";
        long start = System.nanoTime();
        int pods = 1;
        int highest = 1;
        int changes = 0;
        long messages = 0;
        long last = 0;
        long looks = 0;
        double podMillis = 0;
        long charged = 0;
        for (long now = 0; now < HOURS * MILLIS_PER_HOUR; now = (System.nanoTime() - start) / 1_000_000 * SECONDS) {
            while (messages == 0 || last + SEGMENT_MILLIS * SECONDS <= now) {
                last = messages == 0 ? 0 : last + SEGMENT_MILLIS * SECONDS;
                long more = Math.max(1, perSecond(last) * SEGMENT_MILLIS / 1_000);
                JsonNode unused = cluster.control("trickle?queue=cluster&continued=1&perSecond="
                        + Math.max(1, perSecond(last)) + "&messages=" + more + "&work=%20" + HANDLER_MILLIS + "%20");
                messages += more;
            }
            podMillis += (double) pods * (now - charged);
            charged = now;
            Map<QueueAttributeName, String> length = sqs.getQueueAttributes(
                            request -> request.queueUrl(url).attributeNames(QueueAttributeName.ALL))
                    .attributes();
            looks++;
            int wanted = scaler.pods(
                    now,
                    Long.parseLong(length.get(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES)),
                    Long.parseLong(length.get(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE)));
            changes += pods == wanted ? 0 : 1;
            for (; pods < wanted; pods++) {
                cluster.join(pods, "standard");
            }
            for (int i = wanted; i < pods; i++) {
                cluster.instance(i).later("stop", "standard");
            }
            pods = wanted;
            highest = Math.max(highest, pods);
            TimeUnit.MILLISECONDS.sleep(5);
        }
        podMillis += (double) pods * (HOURS * MILLIS_PER_HOUR - charged);
        return result(cluster, messages, podMillis, highest, changes, looks);
    }

    private Result result(Cluster cluster, long messages, double podMillis, int highest, int changes, long looks)
            throws IOException, InterruptedException {
        JsonNode stats = cluster.control("await?deleted=" + messages + "&withinMillis=30000");
        cluster.silence("standard", PODS);
        Verdict verdict = cluster.verdict(PODS, -1);
        double calls = (stats.get("totalCalls").asDouble() - looks) / messages;
        return new Result(
                name,
                what,
                messages,
                podMillis / MILLIS_PER_HOUR / messages * 1e6,
                highest,
                changes,
                calls,
                calls * DOLLARS_PER_MILLION,
                verdict.delayMillis(0.5) * SECONDS / MILLIS_PER_MINUTE,
                verdict.delayMillis(0.99) * SECONDS / MILLIS_PER_MINUTE,
                Math.max(verdict.lost(messages), messages - stats.get("deleted").asLong()),
                verdict.repeated());
    }
}
