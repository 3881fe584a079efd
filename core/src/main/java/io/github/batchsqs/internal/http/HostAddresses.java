/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.http;

import io.github.batchsqs.internal.sdk.NotSentException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Looks up hosts, each on a thread of its own, because nothing ends a look-up. Calls that need the same host meanwhile wait for the
 * same look-up.
 */
final class HostAddresses {

    /** A look-up, which may take long. */
    @FunctionalInterface
    interface LookUp {
        InetAddress[] of(String host) throws UnknownHostException;
    }

    private final LookUp lookUp;
    private final ConcurrentMap<String, CompletableFuture<InetAddress[]>> underWay = new ConcurrentHashMap<>();

    HostAddresses(LookUp lookUp) {
        this.lookUp = lookUp;
    }

    InetAddress[] of(String host, long nanos) throws IOException {
        CompletableFuture<InetAddress[]> found = underWay.computeIfAbsent(host, this::start);
        try {
            return found.get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new NotSentException("The host " + host + " was not looked up in time; check the DNS", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("The look-up of the host " + host + " was interrupted");
        } catch (ExecutionException e) {
            UnknownHostException unknown = new UnknownHostException(host
                    + " (the host is unknown: check the region and the endpoint; if it was known before, the network or the DNS"
                    + " has trouble)");
            unknown.initCause(e.getCause());
            throw unknown;
        }
    }

    private CompletableFuture<InetAddress[]> start(String host) {
        CompletableFuture<InetAddress[]> found = new CompletableFuture<>();
        HttpThreads.lookUp(() -> {
            try {
                found.complete(lookUp.of(host));
            } catch (UnknownHostException | RuntimeException e) {
                found.completeExceptionally(e);
            } finally {
                underWay.remove(host, found);
                found.cancel(false); // after an Error
            }
        });
        return found;
    }
}
