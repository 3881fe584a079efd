/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.cluster;

import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import tools.jackson.databind.JsonNode;

/** Runs a day: looks at the queue as KEDA does, and starts and stops listeners as it would pods. */
final class DayRun {

    private static final String LISTENER = "standard";
    private static final double NANOS_PER_HOUR = 3_600e9;
    private static final double MILLION = 1e6;
    private static final double DOLLARS_PER_MILLION_CALLS = 0.4;
    private static final double MILLIS_PER_SECOND = 1e3;

    private final Day day;
    private final Cluster cluster;
    private final Autoscaler scaler;
    private final long began = System.nanoTime();
    private final Pods pods = new Pods(Day.PODS, began);
    private int highest = 1;
    private int changes;
    private long looks;

    private DayRun(Day day, Cluster cluster) {
        this.day = day;
        this.cluster = cluster;
        this.scaler = new Autoscaler(day.settings(), 0);
    }

    static Day.Result run(Day day, Cluster cluster) throws IOException, InterruptedException {
        cluster.conditions("");
        cluster.create("cluster", "");
        cluster.listen(LISTENER, 1);
        for (int i = 1; i < Day.PODS; i++) {
            cluster.prepare(i);
        }
        JsonNode unused = cluster.control("reset?queue=cluster");
        try (SqsClient sqs = SqsClient.builder()
                .endpointOverride(URI.create(cluster.endpoint()))
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                .httpClientBuilder(Apache5HttpClient.builder())
                .build()) {
            Feed feed = Feed.start(
                    ClusterRows.continued(cluster, "cluster", Day.HANDLER_MILLIS),
                    millis -> Day.perSecond(millis * Day.SECONDS),
                    day.millis() / Day.SECONDS);
            DayRun run = new DayRun(day, cluster);
            run.scaleUntilTheEnd(sqs);
            return run.result(feed.messages());
        }
    }

    private void scaleUntilTheEnd(SqsClient sqs) throws InterruptedException {
        String url = cluster.endpoint() + "/000000000000/cluster";
        for (long now = 0; now < day.millis(); now = dayMillis()) {
            Map<QueueAttributeName, String> length = sqs.getQueueAttributes(
                            request -> request.queueUrl(url).attributeNames(QueueAttributeName.ALL))
                    .attributes();
            looks++;
            scale(scaler.pods(
                    now,
                    Long.parseLong(length.get(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES)) * Day.SECONDS,
                    Long.parseLong(length.get(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE))));
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    private long dayMillis() {
        return (System.nanoTime() - began) * Day.SECONDS / 1_000_000;
    }

    private void scale(int wanted) {
        changes += pods.count() == wanted ? 0 : 1;
        while (pods.count() < wanted) {
            Future<Long> unused =
                    cluster.instance(pods.start(System.nanoTime())).later("start", LISTENER);
        }
        while (pods.count() > wanted) {
            Future<Long> unused = cluster.instance(pods.stop(System.nanoTime())).later("stop", LISTENER);
        }
        highest = Math.max(highest, wanted);
    }

    private Day.Result result(long messages) throws IOException, InterruptedException {
        if (pods.count() == 0) {
            cluster.instance(0).command("start", LISTENER); // for the messages that are left when the day is over
        }
        JsonNode stats = cluster.control("await?deleted=" + messages + "&withinMillis=120000");
        cluster.silence(LISTENER, Day.PODS);
        Verdict verdict = cluster.verdict(Day.PODS);
        double calls = (stats.get("totalCalls").asDouble() - looks) / messages;
        long end = began + TimeUnit.MILLISECONDS.toNanos(day.millis() / Day.SECONDS);
        double podHours = pods.nanos(end) / NANOS_PER_HOUR / messages * MILLION;
        return new Day.Result(
                day.name(),
                day.what(),
                messages,
                podHours,
                highest,
                changes,
                calls,
                calls * DOLLARS_PER_MILLION_CALLS,
                podHours * Day.DOLLARS_PER_POD_HOUR,
                verdict.delayMillis(0.5) * Day.SECONDS / MILLIS_PER_SECOND,
                verdict.delayMillis(0.99) * Day.SECONDS / MILLIS_PER_SECOND,
                Math.max(verdict.lost(messages), messages - stats.get("deleted").asLong()),
                verdict.repeated());
    }
}
