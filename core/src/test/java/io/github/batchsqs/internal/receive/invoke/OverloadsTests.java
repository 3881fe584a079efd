/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.mchange.v2.resourcepool.TimeoutException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.NoSuchElementException;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.apache.tomcat.jdbc.pool.PoolExhaustedException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;

class OverloadsTests {

    static Stream<Throwable> overloads() {
        return Stream.of(
                new RejectedExecutionException("full"),
                new IllegalStateException(new RejectedExecutionException("full")),
                new IllegalStateException(new SQLTransientConnectionException("no connection within 30 s")),
                refusedByAws(400, "RequestThrottled"),
                new IllegalStateException(refusedByAws(503, "SlowDown")),
                refusedByAws(400, "EC2ThrottledException"),
                refusedByAws(429, "Unknown"),
                new SQLException(
                        "Cannot get a connection, pool error Timeout waiting for idle object",
                        new NoSuchElementException("Timeout waiting for idle object, borrowMaxWaitDuration=PT1S")),
                new IllegalStateException(new NoSuchElementException("Pool exhausted")),
                new IllegalStateException(new PoolExhaustedException()),
                new SQLException(
                        "An attempt by a client to checkout a Connection has timed out.", new TimeoutException()));
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
    void isNotShownByOtherFailures(Throwable failure) {
        assertThat(Overloads.shows(failure)).isFalse();
    }

    @ParameterizedTest
    @MethodSource("overloads")
    void isShownByTheUsualExceptions(Throwable failure) {
        assertThat(Overloads.shows(failure)).isTrue();
    }
}
