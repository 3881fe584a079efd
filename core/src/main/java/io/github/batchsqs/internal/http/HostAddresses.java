/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.http;

import io.github.batchsqs.internal.sdk.NotSentException;
import io.github.batchsqs.internal.support.SharedAsk;
import io.github.batchsqs.internal.support.TimeSource;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** Looks up hosts; calls that need the same host meanwhile wait for the same look-up. */
final class HostAddresses {

    /** A look-up, which may take long. */
    @FunctionalInterface
    interface LookUp {
        InetAddress[] of(String host) throws UnknownHostException;
    }

    private final LookUp lookUp;
    private final ConcurrentMap<String, SharedAsk<InetAddress[]>> byHost = new ConcurrentHashMap<>();

    HostAddresses(LookUp lookUp) {
        this.lookUp = lookUp;
    }

    InetAddress[] of(String host, long nanos) throws IOException {
        SharedAsk<InetAddress[]> found = byHost.computeIfAbsent(
                host,
                key -> new SharedAsk<>(
                        "batchsqs-http-dns", () -> lookUp.of(key), Duration.ZERO, Duration.ZERO, TimeSource.system()));
        try {
            return found.answer(nanos);
        } catch (TimeoutException e) {
            throw new NotSentException("The host " + host + " was not looked up in time; check the DNS", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("The look-up of the host " + host + " was interrupted");
        } catch (ExecutionException e) {
            throw new NotSentException(
                    host
                            + " (the host is unknown: check the region and the endpoint; if it was known before, the network or the DNS"
                            + " has trouble)",
                    e.getCause());
        }
    }
}
