/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.contestants;

import io.awspring.cloud.sqs.listener.BackPressureMode;
import io.awspring.cloud.sqs.listener.SqsContainerOptionsBuilder;
import io.awspring.cloud.sqs.listener.acknowledgement.AcknowledgementOrdering;
import io.github.batchsqs.benchmarks.contestants.Clients.Http;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.task.VirtualThreadTaskExecutor;

/**
 * A configuration of Spring Cloud AWS's container.
 *
 * @param concurrentMessages at most; 0 for the default of 10
 * @param http the client's
 * @param virtualThreads instead of its pool of platform threads
 * @param fixed the back-pressure mode {@code FIXED_HIGH_THROUGHPUT} instead of {@code AUTO}
 * @param perPoll messages of one poll, at most; 0 for the default of 10
 * @param acknowledgement when and how messages are deleted
 */
public record SpringSettings(
        int concurrentMessages,
        Http http,
        boolean virtualThreads,
        boolean fixed,
        int perPoll,
        Acknowledgement acknowledgement) {

    /** Its defaults. */
    public static final SpringSettings DEFAULTS =
            new SpringSettings(0, Http.NETTY_DEFAULT, false, false, 0, Acknowledgement.DEFAULT);

    private static final SpringSettings WIDE =
            new SpringSettings(2_000, Http.CRT, true, true, 0, Acknowledgement.DEFAULT);

    /**
     * When and how messages are deleted; {@code null} for the default, which is a second, ten messages and {@code PARALLEL} on
     * standard queues, and immediately and {@code PARALLEL} on FIFO queues ({@code ORDERED} with an interval).
     *
     * @param interval between deletes; zero for immediate deletes, without a threshold
     * @param threshold messages that do not wait for the interval; 0 for none
     * @param ordering of the deletes
     */
    public record Acknowledgement(
            @Nullable Duration interval,
            @Nullable Integer threshold,
            @Nullable AcknowledgementOrdering ordering) {

        static final Acknowledgement DEFAULT = new Acknowledgement(null, null, null);
        static final Acknowledgement IMMEDIATE = new Acknowledgement(Duration.ZERO, 0, null);

        static Acknowledgement every(int millis) {
            return new Acknowledgement(Duration.ofMillis(millis), null, null);
        }

        Acknowledgement threshold(int messages) {
            return new Acknowledgement(interval, messages, ordering);
        }

        Acknowledgement ordering(AcknowledgementOrdering other) {
            return new Acknowledgement(interval, threshold, other);
        }

        private String named() {
            String name = interval == null
                    ? "ack-default"
                    : interval.isZero() ? "ack-immediate" : "ack-" + interval.toMillis() + "ms";
            if (threshold != null && interval != null && !interval.isZero()) {
                name += "-threshold-" + threshold;
            }
            return ordering == null
                    ? name
                    : name + '-' + ordering.name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** What is searched for the best one on standard queues; the first ones are the best that are known. */
    public static List<SpringSettings> candidatesOnStandard() {
        SpringSettings every100 = WIDE.with(Acknowledgement.every(100));
        return List.of(
                every100,
                WIDE,
                WIDE.with(Acknowledgement.IMMEDIATE),
                WIDE.with(Acknowledgement.every(10)),
                WIDE.with(Acknowledgement.every(100).threshold(0)),
                WIDE.with(Acknowledgement.every(100).threshold(100)),
                every100.concurrent(1_000),
                every100.concurrent(500),
                every100.perPoll(100),
                every100.automatic(),
                every100.onNetty(),
                every100.onPlatformThreads());
    }

    /** The same on FIFO queues. */
    public static List<SpringSettings> candidatesOnFifo() {
        Acknowledgement every100 = Acknowledgement.every(100);
        return List.of(
                WIDE,
                WIDE.with(Acknowledgement.IMMEDIATE.ordering(AcknowledgementOrdering.ORDERED)),
                WIDE.with(Acknowledgement.IMMEDIATE.ordering(AcknowledgementOrdering.ORDERED_BY_GROUP)),
                WIDE.with(every100.ordering(AcknowledgementOrdering.PARALLEL)),
                WIDE.with(every100.threshold(0).ordering(AcknowledgementOrdering.ORDERED_BY_GROUP)),
                WIDE.with(Acknowledgement.every(10).ordering(AcknowledgementOrdering.PARALLEL)),
                WIDE.concurrent(1_000),
                WIDE.concurrent(500),
                WIDE.automatic(),
                WIDE.onNetty(),
                WIDE.onPlatformThreads());
    }

    /** All of it in one word, such as {@code spring-2000-fixed-virtual-crt-ack-100ms}. */
    public String named() {
        return Stream.of(
                        "spring",
                        Integer.toString(concurrentMessages),
                        fixed ? "fixed" : "auto",
                        virtualThreads ? "virtual" : "platform",
                        http == Http.CRT ? "crt" : "netty",
                        perPoll > 0 ? "poll-" + perPoll : "",
                        acknowledgement.named())
                .filter(part -> !part.isEmpty())
                .reduce((one, other) -> one + '-' + other)
                .orElseThrow();
    }

    private SpringSettings with(Acknowledgement other) {
        return new SpringSettings(concurrentMessages, http, virtualThreads, fixed, perPoll, other);
    }

    private SpringSettings concurrent(int messages) {
        return new SpringSettings(messages, http, virtualThreads, fixed, perPoll, acknowledgement);
    }

    private SpringSettings perPoll(int messages) {
        return new SpringSettings(concurrentMessages, http, virtualThreads, fixed, messages, acknowledgement);
    }

    private SpringSettings automatic() {
        return new SpringSettings(concurrentMessages, http, virtualThreads, false, perPoll, acknowledgement);
    }

    private SpringSettings onNetty() {
        return new SpringSettings(concurrentMessages, Http.NETTY, virtualThreads, fixed, perPoll, acknowledgement);
    }

    private SpringSettings onPlatformThreads() {
        return new SpringSettings(concurrentMessages, http, false, fixed, perPoll, acknowledgement);
    }

    void apply(SqsContainerOptionsBuilder options) {
        if (concurrentMessages > 0) {
            options.maxConcurrentMessages(concurrentMessages);
        }
        if (perPoll > 0) {
            options.maxMessagesPerPoll(perPoll);
        }
        if (virtualThreads) {
            options.componentsTaskExecutor(new VirtualThreadTaskExecutor("components-"));
            options.acknowledgementResultTaskExecutor(new VirtualThreadTaskExecutor("results-"));
        }
        if (fixed) {
            options.backPressureMode(BackPressureMode.FIXED_HIGH_THROUGHPUT);
        }
        if (acknowledgement.interval != null) {
            options.acknowledgementInterval(acknowledgement.interval);
        }
        if (acknowledgement.threshold != null) {
            options.acknowledgementThreshold(acknowledgement.threshold);
        }
        if (acknowledgement.ordering != null) {
            options.acknowledgementOrdering(acknowledgement.ordering);
        }
    }
}
