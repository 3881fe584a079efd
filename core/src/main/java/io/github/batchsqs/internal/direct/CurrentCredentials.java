/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.SharedAsk;
import io.github.batchsqs.internal.support.TimeSource;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.core.exception.NonRetryableException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;

/** The credentials of the client's provider. What it gave counts for a second. */
final class CurrentCredentials {

    private static final Duration FRESH = Duration.ofSeconds(1);

    private final IdentityProvider<? extends AwsCredentialsIdentity> provider;
    private final SharedAsk<AwsCredentials> given;

    CurrentCredentials(IdentityProvider<? extends AwsCredentialsIdentity> provider) {
        this.provider = provider;
        this.given = new SharedAsk<>(
                "batchsqs-credentials",
                () -> trimmed(provider.resolveIdentity().join()),
                FRESH,
                Duration.ZERO,
                TimeSource.system());
    }

    /**
     * Returns the current credentials without white space around their parts, as the SDK signs with them.
     *
     * @param atMost how long to wait for them
     */
    AwsCredentials current(Duration atMost) throws InterruptedException {
        try {
            return given.answer(atMost.toNanos());
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

    private static AwsCredentials trimmed(AwsCredentialsIdentity given) {
        String key = given.accessKeyId();
        String secret = given.secretAccessKey();
        if (key == null || secret == null) {
            throw NonRetryableException.create(
                    "The credentials provider gave anonymous credentials, with which direct calls"
                            + " cannot sign: turn them off");
        }
        // trim, not strip: the SDK does so, and both must sign the same characters
        if (given instanceof AwsSessionCredentialsIdentity session) {
            return AwsSessionCredentials.builder()
                    .accessKeyId(key.trim())
                    .secretAccessKey(secret.trim())
                    .sessionToken(session.sessionToken().trim())
                    .providerName(given.providerName().orElse(null))
                    .build();
        }
        return AwsBasicCredentials.builder()
                .accessKeyId(key.trim())
                .secretAccessKey(secret.trim())
                .providerName(given.providerName().orElse(null))
                .build();
    }
}
