/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.NonRetryableException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * What is the same on all requests of a client.
 *
 * @param request method, address and headers, without those of the operation, of the body and of the signature
 * @param signer signs such requests
 */
record DirectTemplate(SdkHttpRequest request, DirectSigner signer) {

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
     * @throws RuntimeException whatever the client throws when it cannot, for example for want of credentials
     */
    static DirectTemplate learn(SqsClient sqs, Queue queue) {
        Probe probe = new Probe();
        try {
            var unused = sqs.receiveMessage(receive -> receive.queueUrl(queue.url())
                    .overrideConfiguration(override -> override.addPlugin(
                            client -> client.overrideConfiguration(client.overrideConfiguration().toBuilder()
                                    .addExecutionInterceptor(probe)
                                    .build()))));
        } catch (RuntimeException e) {
            SdkHttpRequest seen = probe.seen;
            if (seen != null) {
                return of(seen);
            }
            throw e;
        }
        throw new IllegalStateException("The AWS SDK sent a request that was to be stopped before");
    }

    private static DirectTemplate of(SdkHttpRequest seen) {
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
        Map<String, String> signed = new TreeMap<>();
        seen.headers().forEach((name, values) -> {
            String lowerCase = name.toLowerCase(Locale.ROOT);
            if (OF_ONE_REQUEST.contains(lowerCase)) {
                template.removeHeader(name);
            } else if (List.of(credential.group(3).split(";")).contains(lowerCase)) {
                signed.put(lowerCase, String.join(",", values));
            }
        });
        DirectSigner signer = new DirectSigner(credential.group(1), credential.group(2), seen.encodedPath(), signed);
        return new DirectTemplate(template.build(), signer);
    }

    /** Keeps the request that is about to be sent, and stops it. */
    private static final class Probe implements ExecutionInterceptor {

        private volatile @Nullable SdkHttpRequest seen;

        @Override
        public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
            seen = context.httpRequest();
            throw new Stopped();
        }
    }

    @SuppressWarnings("serial")
    private static final class Stopped extends RuntimeException {
        Stopped() {
            super("Seen enough", null, false, false);
        }
    }
}
