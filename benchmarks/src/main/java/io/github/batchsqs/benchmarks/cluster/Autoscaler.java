/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.cluster;

import java.util.ArrayDeque;

/**
 * Decides how many pods there are, as KEDA's scaler {@code aws-sqs-queue} and the HorizontalPodAutoscaler that it creates document it. Pure: times
 * are parameters, in milliseconds.
 *
 * <p>The metric is the number of visible messages, and of those in flight with {@code scaleOnInFlight}. KEDA itself moves between zero pods and one,
 * every {@code pollingInterval}: to one if the metric is above {@code activationQueueLength}, to zero if it has not been for
 * {@code cooldownPeriod}. In between the autoscaler wants, every 15 s, the metric divided by {@code queueLength}, rounded up; it keeps its number if
 * the metric is within 10 % of what that number is for. It adds at most four pods or as many as there are in 15 s, and removes pods down
 * to the highest number that it wanted in the stabilisation window.
 */
final class Autoscaler {

    static final long SYNC_MILLIS = 15_000;

    private static final double TOLERANCE = 0.1;
    private static final int PODS_AT_ONCE = 4;

    private final Settings settings;
    private final ArrayDeque<Wanted> wanted = new ArrayDeque<>();
    private int pods;
    private long nextSync;
    private long nextPoll;
    private long activeAt;

    /**
     * The settings of a {@code ScaledObject}.
     *
     * @param queueLength messages per pod
     * @param activationQueueLength messages above which there is a pod at all
     * @param scaleOnInFlight whether messages in flight count
     * @param minPods {@code minReplicaCount}
     * @param maxPods {@code maxReplicaCount}
     * @param pollingMillis {@code pollingInterval}
     * @param cooldownMillis {@code cooldownPeriod}
     * @param stabilizationMillis {@code stabilizationWindowSeconds} of the scale-down
     */
    record Settings(
            int queueLength,
            int activationQueueLength,
            boolean scaleOnInFlight,
            int minPods,
            int maxPods,
            long pollingMillis,
            long cooldownMillis,
            long stabilizationMillis) {

        /** KEDA's defaults with one pod at least. */
        static Settings of(int queueLength, int maxPods) {
            return new Settings(queueLength, 0, true, 1, maxPods, 30_000, 300_000, 300_000);
        }
    }

    private record Wanted(long at, int pods) {}

    Autoscaler(Settings settings, long now) {
        this.settings = settings;
        this.pods = settings.minPods();
        this.nextSync = now;
        this.nextPoll = now;
        this.activeAt = now;
    }

    /** Returns the number of pods from now on. */
    int pods(long now, long visible, long inFlight) {
        long metric = visible + (settings.scaleOnInFlight() ? inFlight : 0);
        boolean active = metric > settings.activationQueueLength();
        if (now >= nextPoll) {
            nextPoll = now + settings.pollingMillis();
            activeAt = active ? now : activeAt;
            if (pods == 0 && active) {
                pods = 1;
            } else if (settings.minPods() == 0 && pods > 0 && now - activeAt >= settings.cooldownMillis()) {
                pods = 0;
            }
        }
        if (now >= nextSync && pods > 0) {
            nextSync = now + SYNC_MILLIS;
            pods = scaled(now, metric);
        }
        return pods;
    }

    private int scaled(long now, long metric) {
        double ratio = (double) metric / ((long) settings.queueLength() * pods);
        int desired = ratio >= 1 - TOLERANCE && ratio <= 1 + TOLERANCE
                ? pods
                : (int) Math.min(settings.maxPods(), Math.ceilDiv(metric, settings.queueLength()));
        desired = Math.clamp(desired, Math.max(1, settings.minPods()), settings.maxPods());
        while (!wanted.isEmpty() && wanted.element().at() <= now - settings.stabilizationMillis()) {
            Wanted unused = wanted.remove();
        }
        wanted.add(new Wanted(now, desired));
        if (desired > pods) {
            return Math.min(desired, pods + Math.max(PODS_AT_ONCE, pods));
        }
        int highest = wanted.stream().mapToInt(Wanted::pods).max().orElse(desired);
        return Math.min(pods, highest);
    }
}
