/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulation;

import java.util.random.RandomGenerator;

/**
 * What the calls to SQS are like. Probabilities are between 0 and 1.
 *
 * @param medianMillis of the duration of a call without a wait for messages
 * @param p99Millis 99 of 100 calls take less; the durations have a log-normal distribution, or are equal if this is the median
 * @param errors of a call to fail with status 500; the client tries it again, as the SDK does
 * @param duplicates of a message to be delivered once more although it is in flight
 * @param shortResponses of a receive to bring fewer messages than there are
 * @param maxInFlight the messages that may be in flight
 */
record Network(
        double medianMillis,
        double p99Millis,
        double errors,
        double duplicates,
        double shortResponses,
        int maxInFlight) {

    /** The 99th percentile of the normal distribution. */
    private static final double Z99 = 2.3263478740408408;

    private static final double NANOS_PER_MILLI = 1e6;
    private static final int MAX_IN_FLIGHT = 120_000;

    /**
     * As published: "tens or low hundreds of milliseconds" (AWS's questions and answers on SQS), at most one failed call in a thousand (its
     * service level agreement), and a duplicate in 100,000 messages (reported by users).
     */
    static final Network PUBLISHED = new Network(20, 200, 0.001, 0.00001, 0, MAX_IN_FLIGHT);

    /** Calls of equal duration without faults. */
    static Network fixed(double millis) {
        return new Network(millis, millis, 0, 0, 0, MAX_IN_FLIGHT);
    }

    Network withShortResponses(double probability) {
        return new Network(medianMillis, p99Millis, errors, duplicates, probability, maxInFlight);
    }

    Network withMaxInFlight(int messages) {
        return new Network(medianMillis, p99Millis, errors, duplicates, shortResponses, messages);
    }

    /** Draws the duration of a call, in nanoseconds. */
    long draw(RandomGenerator random) {
        double factor = sigma() == 0 ? 1 : StrictMath.exp(sigma() * random.nextGaussian());
        return Math.round(medianMillis * factor * NANOS_PER_MILLI);
    }

    /** The mean duration of a call, in milliseconds. */
    double meanMillis() {
        return medianMillis * StrictMath.exp(sigma() * sigma() / 2);
    }

    private double sigma() {
        return p99Millis == medianMillis ? 0 : StrictMath.log(p99Millis / medianMillis) / Z99;
    }
}
