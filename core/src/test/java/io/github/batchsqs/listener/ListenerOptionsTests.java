/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.listener.ListenerOptions.Acknowledge;
import io.github.batchsqs.listener.ListenerOptions.AcknowledgeMode;
import io.github.batchsqs.listener.ListenerOptions.Failure;
import io.github.batchsqs.listener.ListenerOptions.Pollers;
import io.github.batchsqs.listener.ListenerOptions.Visibility;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ListenerOptionsTests {

    private static final Duration MS = Duration.ofMillis(1);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration DAY = Duration.ofDays(1);
    private static final Backoff BACKOFF = Backoff.exponential(SECOND, Duration.ofMinutes(5));

    static Stream<Arguments> badValues() {
        return Stream.of(
                bad("id must not be blank, but is  ; give the listener an id", o -> o.id(" ")),
                bad("queue must be a name, a URL or an ARN, but is ; name the queue to read", o -> o.queue("")),
                bad("batch-size must be between 1 and 10000, but is 0; set a value in that range", o -> o.batchSize(0)),
                bad(
                        "batch-size must be between 1 and 10000, but is 10001; set a value in that range",
                        o -> o.batchSize(10_001)),
                bad(
                        "batch-linger must be between 0s and 12h, but is -1ms; set a value in that range, for example"
                                + " 12h",
                        o -> o.batchLinger(MS.negated())),
                bad(
                        "batch-linger must be between 0s and 12h, but is 24h; set a value in that range, for example"
                                + " 12h",
                        o -> o.batchLinger(DAY)),
                bad("concurrency must be at least 1, but is 0; set 1 or more", o -> o.concurrency(0)),
                bad("pollers.min must be at least 1, but is 0; set 1 or more", o -> o.pollers(0, 4)),
                bad("pollers.max must be at least pollers.min (5), but is 4; raise it", o -> o.pollers(5, 4)),
                bad(
                        "pollers.max must be between 1 and 1000, but is 1001; set a value in that range",
                        o -> o.pollers(1, 1_001)),
                bad(
                        "pollers.min-interval must be between 0s and 1m, but is 61s; set a value in that range, for"
                                + " example 1m",
                        o -> o.pollers(new Pollers(1, 2, Duration.ofSeconds(61)))),
                bad(
                        "wait-time must be between 0s and 20s, but is 21s; set a value in that range, for example 20s",
                        o -> o.waitTime(Duration.ofSeconds(21))),
                bad(
                        "wait-time must be whole seconds, as SQS counts it, but is 1500ms; set a value such as 20s",
                        o -> o.waitTime(Duration.ofMillis(1_500))),
                bad(
                        "prefetch must be between 0 and 40, but is 41; set a value in that range",
                        o -> o.pollers(1, 4).prefetch(41)),
                bad("prefetch must be between 0 and 320, but is -2; set a value in that range", o -> o.prefetch(-2)),
                bad(
                        "visibility.timeout must be between 1s and 12h, but is 999ms; set a value in that range, for"
                                + " example 1s",
                        o -> o.visibility(new Visibility(Duration.ofMillis(999), SECOND))),
                bad(
                        "visibility.max-extension must be between 0s and 12h, but is 24h; set a value in that range,"
                                + " for example 12h",
                        o -> o.visibility(new Visibility(null, DAY))),
                bad(
                        "acknowledge.linger must be between 0s and 10s, but is 11s; set a value in that range, for"
                                + " example 10s",
                        o -> o.acknowledge(new Acknowledge(AcknowledgeMode.ON_SUCCESS, Duration.ofSeconds(11)))),
                bad(
                        "backoff.initial must be positive, but is 0s; set a value such as 1s",
                        o -> o.failure(failure(new Backoff(Duration.ZERO, 2, SECOND, true), "none"))),
                bad(
                        "backoff.multiplier must be at least 1, but is 0.5; set 2 to double",
                        o -> o.failure(failure(new Backoff(SECOND, 0.5, SECOND, true), "none"))),
                bad(
                        "backoff.max must be at least backoff.initial (1s), but is 1ms; raise backoff.max or lower"
                                + " backoff.initial",
                        o -> o.failure(failure(new Backoff(SECOND, 2, MS, true), "none"))),
                bad(
                        "failure.backoff.max must be between 0s and 12h, but is 24h; set a value in that range, for"
                                + " example 12h",
                        o -> o.failure(failure(new Backoff(SECOND, 2, DAY, true), "none"))),
                bad(
                        "failure.dead-letter must be redrive-policy, none, or a queue, but is  ; remove the key for"
                                + " redrive-policy",
                        o -> o.failure(failure(BACKOFF, " "))),
                bad(
                        "concurrency must have a maximum of at least 1 with auto, but is auto:0; set auto:1 or more, or auto",
                        o -> o.concurrencyMax(0)),
                bad(
                        "rate-limit must be a positive number of messages per second, or 0 for none, but is -1.0; set a"
                                + " positive number or remove the key",
                        o -> o.rateLimit(-1)),
                bad(
                        "rate-limit must be a positive number of messages per second, or 0 for none, but is NaN; set a"
                                + " positive number or remove the key",
                        o -> o.rateLimit(Double.NaN)),
                bad(
                        "shutdown-timeout must be positive and at most 12h, because SQS keeps no message in flight for"
                                + " longer, but is 0s; set a value below the grace period of the platform, such as 25s",
                        o -> o.shutdownTimeout(Duration.ZERO)),
                bad(
                        "shutdown-timeout must be positive and at most 12h, because SQS keeps no message in flight for"
                                + " longer, but is 43201s; set a value below the grace period of the platform, such as"
                                + " 25s",
                        o -> o.shutdownTimeout(Duration.ofHours(12).plus(SECOND))),
                bad(
                        "shutdown-timeout must be positive and at most 12h, because SQS keeps no message in flight for"
                                + " longer, but is 9223372036854775807s; set a value below the grace period of the"
                                + " platform, such as 25s",
                        o -> o.shutdownTimeout(Duration.ofSeconds(Long.MAX_VALUE))));
    }

    @ParameterizedTest
    @MethodSource("badValues")
    void aBadValueNamesTheOptionTheRuleTheValueAndTheRemedy(
            String message, UnaryOperator<ListenerOptions.Builder> change) {
        assertThatThrownBy(() -> change.apply(defaults()).build())
                .isInstanceOf(InvalidOptionException.class)
                .hasMessage(message);
    }

    @Test
    void hasTheDocumentedDefaults() {
        ListenerOptions options = defaults().build();
        assertThat(options)
                .isEqualTo(new ListenerOptions(
                        "listener",
                        "orders",
                        "default",
                        10,
                        Duration.ZERO,
                        ListenerOptions.AUTO_CONCURRENCY,
                        200,
                        new Pollers(1, 32, Duration.ZERO),
                        Duration.ofSeconds(20),
                        ListenerOptions.AUTO_PREFETCH,
                        new Visibility(null, Duration.ofHours(1)),
                        new Acknowledge(AcknowledgeMode.ON_SUCCESS, Duration.ofMillis(50)),
                        new Failure(BACKOFF, false, List.of(), Failure.REDRIVE_POLICY),
                        0,
                        ListenerOptions.FifoGrouping.GROUP,
                        ListenerOptions.FifoRetry.IN_PROCESS,
                        new ListenerOptions.InvocationExecutor.Virtual(),
                        ListenerOptions.QueueNotFound.FAIL,
                        Duration.ofSeconds(25)));
    }

    @Test
    void anAutomaticConcurrencyIsAllowed() {
        ListenerOptions options = defaults()
                .concurrency(ListenerOptions.AUTO_CONCURRENCY)
                .concurrencyMax(50)
                .build();
        assertThat(options.toBuilder().build()).isEqualTo(options);
        assertThat(options.concurrency()).isEqualTo(ListenerOptions.AUTO_CONCURRENCY);
    }

    @Test
    void aBuilderOfOptionsKeepsWhatItDoesNotChange() {
        ListenerOptions options = defaults()
                .batchSize(100)
                .pollers(new Pollers(2, 3, SECOND))
                .prefetch(30)
                .rateLimit(5)
                .build();
        assertThat(options.toBuilder().build()).isEqualTo(options);
        assertThat(options.toBuilder().pollers(1, 9).build().pollers()).isEqualTo(new Pollers(1, 9, SECOND));
    }

    @Test
    void boundsThemselvesAreAllowed() {
        ListenerOptions options = defaults()
                .batchSize(10_000)
                .batchLinger(Duration.ofHours(12))
                .pollers(new Pollers(1_000, 1_000, Duration.ofMinutes(1)))
                .prefetch(10_000)
                .waitTime(Duration.ZERO)
                .visibility(new Visibility(Duration.ofHours(12), Duration.ZERO))
                .build();
        assertThat(options.prefetch()).isEqualTo(10_000);
    }

    private static ListenerOptions.Builder defaults() {
        return ListenerOptions.builder("listener", "orders");
    }

    private static Failure failure(Backoff backoff, String deadLetter) {
        return new Failure(backoff, false, List.of(), deadLetter);
    }

    private static Arguments bad(String message, UnaryOperator<ListenerOptions.Builder> change) {
        return Arguments.of(message, change);
    }
}
