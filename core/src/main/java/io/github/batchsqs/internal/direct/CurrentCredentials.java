/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.SharedAsk;
import io.github.batchsqs.internal.support.TimeSource;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.CredentialUtils;
import software.amazon.awssdk.core.exception.NonRetryableException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
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
                () -> usable(provider.resolveIdentity().join()),
                FRESH,
                Duration.ZERO,
                TimeSource.system());
    }

    /**
     * Returns the current credentials.
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

    private static AwsCredentials usable(AwsCredentialsIdentity given) {
        if (CredentialUtils.isAnonymous(given)) {
            throw NonRetryableException.create(
                    "The credentials provider gave anonymous credentials, with which direct calls"
                            + " cannot sign: turn them off");
        }
        return CredentialUtils.toCredentials(given);
    }
}
