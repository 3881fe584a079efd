/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client.direct;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.NonRetryableException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;

/** Asks the client's provider for credentials, and waits for them interruptibly and not for ever. */
final class CurrentCredentials {

    /** Above what the SDK's own providers take with their retries. */
    static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    private final IdentityProvider<? extends AwsCredentialsIdentity> provider;
    private final Duration longestWait;

    /** The last credentials and their derived form: most calls get the same ones. */
    private volatile @Nullable Trimmed last;

    CurrentCredentials(IdentityProvider<? extends AwsCredentialsIdentity> provider, Duration longestWait) {
        this.provider = provider;
        this.longestWait = longestWait;
    }

    /** Returns the current credentials without white space around their parts, as the SDK signs with them. */
    @SuppressWarnings("ReferenceEquality") // it asks for the same object, not for equal secrets
    AwsCredentialsIdentity current() throws InterruptedException {
        AwsCredentialsIdentity given = given();
        Trimmed known = last;
        if (known == null || known.given != given) {
            known = new Trimmed(given, trimmed(given));
            last = known;
        }
        return known.trimmed;
    }

    private AwsCredentialsIdentity given() throws InterruptedException {
        CompletableFuture<? extends AwsCredentialsIdentity> future = provider.resolveIdentity();
        try {
            return future.get(longestWait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw SdkClientException.create(
                    "The credentials provider " + provider.getClass().getName() + " gave no credentials within "
                            + longestWait.toSeconds() + " s",
                    e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw SdkClientException.create("The credentials provider failed: " + e.getMessage(), e);
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

        private final AwsCredentialsIdentity given;
        private final AwsCredentialsIdentity trimmed;

        Trimmed(AwsCredentialsIdentity given, AwsCredentialsIdentity trimmed) {
            this.given = given;
            this.trimmed = trimmed;
        }
    }
}
