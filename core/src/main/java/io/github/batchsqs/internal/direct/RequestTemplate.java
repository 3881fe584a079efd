/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import io.github.batchsqs.client.Queue;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.core.exception.NonRetryableException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * What is the same on all requests of a client.
 *
 * @param signer has method, address and headers, without those of the operation, of the body and of the signature
 * @param clock the time to sign with; it starts with the offset that the SDK has learned already
 */
record RequestTemplate(RequestSigner signer, ServerClock clock) {

    private static final Pattern CREDENTIAL = Pattern.compile(
            "AWS4-HMAC-SHA256 Credential=.+/\\d{8}/([^/]+)/([^/]+)/aws4_request, SignedHeaders=([^,]+), .*");

    /** Headers that belong to one request. */
    private static final Set<String> OF_ONE_REQUEST = Set.of(
            "amz-sdk-invocation-id",
            "amz-sdk-request",
            "authorization",
            "content-length",
            "x-amz-content-sha256",
            "x-amz-date",
            "x-amz-security-token",
            "x-amz-target",
            "x-amzn-trace-id");

    /**
     * Lets the client prepare and sign a request, and stops it before it is sent.
     *
     * @param identity signs the request, so that the client need not ask its provider
     * @param now the time of this machine
     * @throws RuntimeException whatever the client throws when it cannot
     */
    static RequestTemplate learn(SqsClient sqs, Queue queue, AwsCredentials identity, Supplier<Instant> now) {
        Probe probe = new Probe();
        try {
            var unused = sqs.receiveMessage(receive -> receive.queueUrl(queue.url())
                    .overrideConfiguration(override -> override.credentialsProvider(() -> identity)
                            .addPlugin(client -> client.overrideConfiguration(client.overrideConfiguration().toBuilder()
                                    .addExecutionInterceptor(probe)
                                    .build()))));
        } catch (RuntimeException e) {
            Seen seen = probe.seen;
            if (seen != null) {
                return of(seen, now);
            }
            throw e;
        }
        throw new IllegalStateException("The AWS SDK sent a request that was to be stopped before");
    }

    private static RequestTemplate of(Seen probed, Supplier<Instant> now) {
        SdkHttpRequest seen = probed.request;
        Optional<String> signature = seen.firstMatchingHeader("Authorization");
        Matcher credential = CREDENTIAL.matcher(signature.orElse(""));
        if (!credential.matches()) {
            throw NonRetryableException.create("The SQS client does not sign by AWS4-HMAC-SHA256 ("
                    + signature
                            .map(s -> s.substring(0, Math.max(0, s.indexOf(' '))))
                            .orElse("no signature")
                    + "), which direct calls need: turn them off");
        }
        SdkHttpRequest.Builder template = seen.toBuilder();
        Map<String, List<String>> signed = new TreeMap<>();
        seen.headers().forEach((name, values) -> {
            String lowerCase = name.toLowerCase(Locale.ROOT);
            if (OF_ONE_REQUEST.contains(lowerCase)) {
                template.removeHeader(name);
            } else if (List.of(credential.group(3).split(";")).contains(lowerCase)) {
                signed.put(lowerCase, values);
            }
        });
        RequestSigner signer = new RequestSigner(credential.group(1), credential.group(2), template.build(), signed);
        return new RequestTemplate(signer, new ServerClock(now, probed.offset));
    }

    /** Keeps the request that is about to be sent, and stops it. */
    private static final class Probe implements ExecutionInterceptor {

        private volatile @Nullable Seen seen;

        @Override
        public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
            Integer offset = attributes.getAttribute(SdkExecutionAttribute.TIME_OFFSET);
            seen = new Seen(context.httpRequest(), offset == null ? 0 : offset);
            throw new Stopped();
        }
    }

    private record Seen(SdkHttpRequest request, int offset) {}

    @SuppressWarnings("serial")
    private static final class Stopped extends RuntimeException {
        Stopped() {
            super("Seen enough", null, false, false);
        }
    }
}
