/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.Check;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
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
    private final AtomicReference<@Nullable Ask> asked = new AtomicReference<>();

    private volatile @Nullable Trimmed last;

    CurrentCredentials(IdentityProvider<? extends AwsCredentialsIdentity> provider) {
        this.provider = provider;
    }

    /**
     * Returns the current credentials without white space around their parts, as the SDK signs with them.
     *
     * @param atMost how long to wait for them
     */
    AwsCredentialsIdentity current(Duration atMost) throws InterruptedException {
        Trimmed known = last;
        return known != null && System.nanoTime() - known.givenAt < FRESH ? known.identity : asked(atMost);
    }

    private AwsCredentialsIdentity asked(Duration atMost) throws InterruptedException {
        try {
            return ask().given.get(atMost.toNanos(), TimeUnit.NANOSECONDS).identity;
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

    private Ask ask() {
        Ask known = asked.get();
        if (known != null && !known.given.isDone() && System.nanoTime() - known.askedAt < LONGEST_ASK) {
            return known;
        }
        Ask next = new Ask(System.nanoTime(), new CompletableFuture<>());
        if (!asked.compareAndSet(known, next)) {
            return ask();
        }
        boolean runs = false;
        try {
            CredentialThreads.ask(() -> next.answer(this::given));
            runs = true;
        } finally {
            if (!runs) { // there is no thread: the next call asks again
                asked.set(null);
            }
        }
        return next;
    }

    private CompletableFuture<Trimmed> given() {
        return provider.resolveIdentity().thenApply(identity -> {
            Trimmed made = new Trimmed(trimmed(identity), System.nanoTime());
            last = made;
            return made;
        });
    }

    private record Ask(long askedAt, CompletableFuture<Trimmed> given) {

        void answer(Supplier<CompletableFuture<Trimmed>> provider) {
            Throwable thrown = ForeignCode.run(() -> {
                var unused = provider.get().whenComplete((identity, failure) -> {
                    if (failure == null) {
                        given.complete(identity);
                    } else {
                        given.completeExceptionally(failure);
                    }
                });
            });
            if (thrown != null) {
                given.completeExceptionally(thrown);
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

    /** No record: its text would have the secret. */
    private static final class Trimmed {

        private final AwsCredentialsIdentity identity;
        private final long givenAt;

        Trimmed(AwsCredentialsIdentity identity, long givenAt) {
            this.identity = identity;
            this.givenAt = givenAt;
        }
    }
}
