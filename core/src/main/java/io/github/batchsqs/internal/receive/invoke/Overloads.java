/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import io.github.batchsqs.internal.sdk.CallFailures;
import io.github.batchsqs.internal.support.Causes;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;

/**
 * Which exceptions of a handler show that something it calls has too much to do. They are known by name, because the library does
 * not depend on what throws them, except the AWS SDK; their subclasses and wrappers count. A handler shows its own overload by a
 * {@link RejectedExecutionException}, also as a cause.
 */
final class Overloads {

    /** A full executor, connection pool (Hikari, Tomcat, c3p0), bulkhead or rate limiter, and HTTP 429 and 503 by Spring's clients. */
    static final Set<String> USUAL = Set.of(
            RejectedExecutionException.class.getName(),
            "java.sql.SQLTransientConnectionException",
            "org.apache.tomcat.jdbc.pool.PoolExhaustedException",
            "com.mchange.v2.resourcepool.TimeoutException",
            "org.springframework.web.client.HttpClientErrorException$TooManyRequests",
            "org.springframework.web.client.HttpServerErrorException$ServiceUnavailable",
            "org.springframework.web.reactive.function.client.WebClientResponseException$TooManyRequests",
            "org.springframework.web.reactive.function.client.WebClientResponseException$ServiceUnavailable",
            "io.github.resilience4j.bulkhead.BulkheadFullException",
            "io.github.resilience4j.ratelimiter.RequestNotPermitted");

    /** The messages of an exhausted Commons Pool, which DBCP uses: it has no exception of its own. */
    private static final List<String> EXHAUSTED_BY_COMMONS_POOL =
            List.of("Timeout waiting for idle object", "Pool exhausted");

    private Overloads() {}

    /** Returns whether the failure, or one of its causes, shows an overload. */
    static boolean shows(Throwable failure) {
        return Causes.isAny(
                failure, cause -> hasUsualType(cause) || isExhaustedPool(cause) || CallFailures.isThrottled(cause));
    }

    private static boolean hasUsualType(Throwable failure) {
        for (Class<?> type = failure.getClass(); type != Throwable.class; type = type.getSuperclass()) {
            if (USUAL.contains(type.getName())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isExhaustedPool(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        return failure instanceof NoSuchElementException
                && EXHAUSTED_BY_COMMONS_POOL.stream().anyMatch(message::startsWith);
    }
}
