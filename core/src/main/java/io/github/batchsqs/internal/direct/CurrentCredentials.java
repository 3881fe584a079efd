/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import io.github.batchsqs.internal.http.HttpThreads;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.ForeignCode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.NonRetryableException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;

/**
 * The credentials of the client's provider. A provider may block, so it is asked on a thread of its own, once for all calls that
 * need them meanwhile; and what it gave counts for a second.
 */
final class CurrentCredentials {

    private static final long FRESH = TimeUnit.SECONDS.toNanos(1);

    /** Above what the SDK's own providers take with their retries: then it is asked anew. */
    private static final long LONGEST_ASK = TimeUnit.MINUTES.toNanos(1);

    private final IdentityProvider<? extends AwsCredentialsIdentity> provider;
    private final AtomicReference<@Nullable Ask> last = new AtomicReference<>();

    CurrentCredentials(IdentityProvider<? extends AwsCredentialsIdentity> provider) {
        this.provider = provider;
    }

    /**
     * Returns the current credentials without white space around their parts, as the SDK signs with them.
     *
     * @param atMost how long to wait for them
     */
    AwsCredentialsIdentity current(Duration atMost) throws InterruptedException {
        Ask ask = last.get();
        if (ask == null || ask.isOver(System.nanoTime())) {
            ask = asked(ask);
        }
        try {
            return ask.given.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw SdkClientException.create(
                    "The credentials provider " + provider.getClass().getName() + " gave no credentials within "
                            + Check.text(atMost),
                    e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() instanceof CompletionException inner ? inner.getCause() : e.getCause();
            if (cause instanceof RuntimeException failure) {
                throw failure;
            }
            throw SdkClientException.create("The credentials provider failed: " + cause, e);
        }
    }

    /** Asks in place of an ask that is over, unless another call has done so. */
    private Ask asked(@Nullable Ask over) {
        Ask next = new Ask();
        if (!last.compareAndSet(over, next)) {
            Ask other = last.get();
            return other == null ? asked(null) : other;
        }
        boolean runs = false;
        try {
            HttpThreads.credentials(() -> {
                Throwable thrown = ForeignCode.run(() -> {
                    var unused = provider.resolveIdentity()
                            .thenApply(CurrentCredentials::trimmed)
                            .whenComplete(next::answered);
                });
                if (thrown != null) {
                    next.answered(null, thrown);
                }
            });
            runs = true;
        } finally {
            if (!runs) { // there is no thread: the next call asks again
                last.set(null);
            }
        }
        return next;
    }

    /** A question to the provider, and its answer. */
    private static final class Ask {

        private final long askedAt = System.nanoTime();
        private final CompletableFuture<AwsCredentialsIdentity> given = new CompletableFuture<>();
        private volatile long givenAt;

        boolean isOver(long now) {
            if (!given.isDone()) {
                return now - askedAt >= LONGEST_ASK;
            }
            return given.isCompletedExceptionally() || now - givenAt >= FRESH;
        }

        void answered(@Nullable AwsCredentialsIdentity identity, @Nullable Throwable failure) {
            givenAt = System.nanoTime();
            if (identity != null) {
                given.complete(identity);
            } else {
                given.completeExceptionally(failure);
            }
        }
    }

    private static AwsCredentialsIdentity trimmed(AwsCredentialsIdentity given) {
        String key = given.accessKeyId();
        String secret = given.secretAccessKey();
        if (key == null || secret == null) {
            throw NonRetryableException.create(
                    "The credentials provider gave anonymous credentials, with which direct calls"
                            + " cannot sign: turn them off");
        }
        // trim, not strip: the SDK does so, and both must sign the same characters
        if (given instanceof AwsSessionCredentialsIdentity session) {
            return AwsSessionCredentialsIdentity.builder()
                    .accessKeyId(key.trim())
                    .secretAccessKey(secret.trim())
                    .sessionToken(session.sessionToken().trim())
                    .providerName(given.providerName().orElse(null))
                    .build();
        }
        return AwsCredentialsIdentity.builder()
                .accessKeyId(key.trim())
                .secretAccessKey(secret.trim())
                .providerName(given.providerName().orElse(null))
                .build();
    }
}
