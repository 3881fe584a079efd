/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import static org.assertj.core.api.Assertions.assertThat;

import com.mchange.v2.resourcepool.TimeoutException;
import io.github.batchsqs.PartialBatchException;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.SettableTime;
import io.github.batchsqs.time.TimeSource;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.apache.tomcat.jdbc.pool.PoolExhaustedException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.sqs.model.RequestThrottledException;

class InvocationLimitTests {

    private static final int AFTER_OVERLOAD = 12;

    private final SettableTime time = new SettableTime();
    private final List<Integer> stages = new ArrayList<>();
    private final List<String> unexpected = new ArrayList<>();
    private final ListenerEvents events = new ListenerEvents() {
        @Override
        public void unexpected(String stage, Throwable failure) {
            unexpected.add(stage + " " + failure.getMessage());
        }
    };

    @Test
    void aFixedNumberMeasuresNothingAndStays() {
        var limit = limit(8, stages::add, time);
        call(limit, new RejectedExecutionException());
        limit.refused();
        assertThat(limit.limit()).isEqualTo(8);
        assertThat(stages).isEmpty();
    }

    @Test
    void anAutomaticLimitStartsWithSixteen() {
        assertThat(automatic().limit()).isEqualTo(16);
        assertThat(InvocationLimit.initial(options(ListenerOptions.AUTO_CONCURRENCY))
                        .concurrency())
                .isEqualTo(16);
        assertThat(InvocationLimit.atMost(options(ListenerOptions.AUTO_CONCURRENCY))
                        .concurrency())
                .isEqualTo(40);
        assertThat(InvocationLimit.atMost(options(3)).concurrency()).isEqualTo(3);
    }

    static Stream<Throwable> overloads() {
        return Stream.of(
                new RejectedExecutionException("full"),
                new IllegalStateException(new RejectedExecutionException("full")),
                new IllegalStateException(new SQLTransientConnectionException("no connection within 30 s")),
                RequestThrottledException.builder().message("throttled").build(),
                new IllegalStateException(refusedByAws(503, "SlowDown")),
                refusedByAws(400, "EC2ThrottledException"),
                refusedByAws(429, "Unknown"),
                new SQLException(
                        "Cannot get a connection, pool error Timeout waiting for idle object",
                        new NoSuchElementException("Timeout waiting for idle object, borrowMaxWaitDuration=PT1S")),
                new IllegalStateException(new NoSuchElementException("Pool exhausted")),
                new IllegalStateException(new PoolExhaustedException()),
                new SQLException(
                        "An attempt by a client to checkout a Connection has timed out.", new TimeoutException()),
                new Busy(),
                PartialBatchException.ofIndexes(List.of(0), new Busy()));
    }

    /** As a client of any service throws it, which has no class for each of its errors. */
    private static AwsServiceException refusedByAws(int status, String code) {
        return AwsServiceException.builder()
                .message(code)
                .statusCode(status)
                .awsErrorDetails(AwsErrorDetails.builder().errorCode(code).build())
                .build();
    }

    static Stream<Throwable> noOverloads() {
        return Stream.of(
                refusedByAws(403, "AccessDenied"),
                refusedByAws(503, "ServiceUnavailable"),
                new SQLException("syntax"),
                new NoSuchElementException("No value present"),
                new NoSuchElementException());
    }

    @ParameterizedTest
    @MethodSource("noOverloads")
    void aFailureThatIsNoOverloadLeavesTheLimit(Throwable failure) {
        assertThat(new Overloads(List.of()).shows(failure)).isFalse();
    }

    @ParameterizedTest
    @MethodSource("overloads")
    void anOverloadLowersTheLimitInTheStages(Throwable overload) {
        var limit = automatic();
        call(limit, overload);
        assertThat(limit.limit()).isEqualTo(AFTER_OVERLOAD);
        assertThat(stages).containsExactly(AFTER_OVERLOAD);
    }

    @Test
    void anOverloadOfAnyMessageOfAPartialFailureCounts() {
        var limit = automatic();
        Map<SqsMessage<?>, Throwable> failed = new LinkedHashMap<>();
        failed.put(message("1"), new IllegalStateException("failed"));
        failed.put(message("2"), new Busy());
        call(limit, PartialBatchException.of(failed));
        assertThat(limit.limit()).isEqualTo(AFTER_OVERLOAD);
    }

    @Test
    void aPartialFailureIsMeasuredLikeASuccess() {
        var limit = automatic();
        for (int i = 0; i < 10; i++) {
            long startedAt = limit.started();
            time.advance(Duration.ofMillis(20));
            for (int call = 0; call < 16; call++) {
                limit.ended(10, startedAt, PartialBatchException.ofIndexes(List.of(0), new IllegalStateException()));
            }
        }
        assertThat(stages).as("a probe").first().isEqualTo(8);
    }

    @Test
    void hangingInvocationsDoNotKeepAProbe() {
        var limit = automatic();
        for (int i = 0; i < 10 && stages.isEmpty(); i++) {
            long startedAt = limit.started();
            time.advance(Duration.ofMillis(20));
            for (int call = 0; call < 16; call++) {
                limit.ended(1, startedAt, null);
            }
        }
        time.advance(Duration.ofMinutes(1));
        limit.tick(8);
        assertThat(stages).containsExactly(8, 16);
    }

    @Test
    void anotherFailureIsNoOverload() {
        var limit = automatic();
        call(limit, new IllegalStateException("failed"));
        call(limit, null);
        assertThat(limit.limit()).isEqualTo(16);
    }

    @Test
    void refusalsOfTheExecutorLowerTheLimitOnceAtATime() {
        var limit = automatic();
        time.advance(Duration.ofSeconds(1));
        limit.refused();
        limit.refused();
        assertThat(stages).containsExactly(AFTER_OVERLOAD);
    }

    @Test
    void aNumberSwitchesTheAutomaticLimitOff() {
        var limit = automatic();
        limit.change(options(5));
        call(limit, new RejectedExecutionException());
        assertThat(limit.limit()).isEqualTo(5);
        limit.change(options(ListenerOptions.AUTO_CONCURRENCY));
        assertThat(limit.limit()).isEqualTo(16);
        call(limit, new RejectedExecutionException());
        assertThat(stages).containsExactly(5, 16, AFTER_OVERLOAD);
    }

    @Test
    void aChangeOfSomethingElseLeavesTheAutomaticLimit() {
        var limit = automatic();
        call(limit, new RejectedExecutionException());
        limit.change(options(ListenerOptions.AUTO_CONCURRENCY));
        assertThat(limit.limit()).isEqualTo(AFTER_OVERLOAD);
    }

    @Test
    void aCallThatStartedBeforeTheLimitBecameAutomaticIsNotMeasured() {
        var limit = limit(8, stages::add, time);
        long startedAt = limit.started();
        limit.change(options(ListenerOptions.AUTO_CONCURRENCY));
        limit.ended(1, startedAt, new RejectedExecutionException());
        assertThat(limit.limit()).isEqualTo(16);
    }

    @Test
    void staysAfterItsEnd() {
        var limit = automatic();
        long startedAt = limit.started();
        limit.end();
        limit.ended(1, startedAt, new RejectedExecutionException());
        limit.refused();
        assertThat(limit.limit()).isEqualTo(16);
        assertThat(stages).isEmpty();
    }

    @Test
    void aChangeAfterItsEndHasNoEffect() {
        var limit = automatic();
        limit.end();
        limit.change(options(ListenerOptions.AUTO_CONCURRENCY));
        limit.change(options(5));
        assertThat(stages).isEmpty();
    }

    @Test
    void aStageThatFailedFollowsWithTheNextCall() {
        var failures = new AtomicInteger(1);
        var limit = limit(
                ListenerOptions.AUTO_CONCURRENCY,
                concurrency -> {
                    if (failures.getAndDecrement() > 0) {
                        throw new StackOverflowError("as if");
                    }
                    stages.add(concurrency);
                },
                time);
        call(limit, new RejectedExecutionException());
        assertThat(limit.limit()).isEqualTo(16);
        call(limit, null);
        assertThat(limit.limit()).isEqualTo(AFTER_OVERLOAD);
        assertThat(stages).containsExactly(AFTER_OVERLOAD);
    }

    @Test
    void aFailureOfItsOwnConcernsNoMessage() {
        var limit = limit(
                ListenerOptions.AUTO_CONCURRENCY,
                concurrency -> {
                    throw new StackOverflowError("as if");
                },
                time);
        call(limit, new RejectedExecutionException());
        assertThat(unexpected).containsExactly("invoke as if");
    }

    @Test
    void aClockThatFailsMeasuresNothing() {
        var broken = new TimeSource() {
            private boolean works = true;

            @Override
            public long nanos() {
                if (works) {
                    works = false;
                    return 0;
                }
                throw new StackOverflowError("as if");
            }

            @Override
            public Instant now() {
                return Instant.EPOCH;
            }
        };
        var limit = limit(ListenerOptions.AUTO_CONCURRENCY, stages::add, broken);
        limit.ended(1, limit.started(), new RejectedExecutionException());
        assertThat(limit.limit()).isEqualTo(16);
        assertThat(unexpected).isEmpty();
    }

    private InvocationLimit automatic() {
        return limit(ListenerOptions.AUTO_CONCURRENCY, stages::add, time);
    }

    private InvocationLimit limit(int concurrency, IntConsumer ofStages, TimeSource clock) {
        return new InvocationLimit(options(concurrency), ofStages, events, clock);
    }

    private void call(InvocationLimit limit, @Nullable Throwable failure) {
        long startedAt = limit.started();
        time.advance(Duration.ofMillis(20));
        limit.ended(1, startedAt, failure);
    }

    private static SqsMessage<?> message(String id) {
        return (SqsMessage<?>) Proxy.newProxyInstance(
                SqsMessage.class.getClassLoader(),
                new Class<?>[] {SqsMessage.class},
                (message, method, arguments) -> method.getName().equals("id") ? id : id.hashCode());
    }

    private static ListenerOptions options(int concurrency) {
        return ListenerOptions.builder("listener", "orders")
                .concurrency(concurrency)
                .concurrencyMax(40)
                .overloadExceptions(List.of(Busy.class))
                .build();
    }

    private static final class Busy extends RuntimeException {
        private static final long serialVersionUID = 1;
    }
}
