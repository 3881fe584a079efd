/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import io.github.batchsqs.internal.support.Spares;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;
import software.amazon.awssdk.utils.http.SdkHttpUtils;

/**
 * AWS Signature Version 4 of a {@code POST} with a body in memory: what the SDK's signer does, tested to give the same
 * headers.
 *
 * <p>The signing key is a function of secret, day, region and service; the last one is kept. So are the text of the last
 * second, the digests and the buffer that they read. Safe for use by any thread.
 */
final class RequestSigner {

    private static final String ALGORITHM = "AWS4-HMAC-SHA256";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private static final String LENGTH = "content-length";
    private static final String DIGEST = "x-amz-content-sha256";
    private static final String DATE = "x-amz-date";
    private static final String TOKEN = "x-amz-security-token";
    private static final String TARGET = "x-amz-target";
    private static final List<String> ADDED = List.of(LENGTH, DIGEST, DATE, TARGET, "authorization");
    private static final List<String> ADDED_WITH_TOKEN = List.of(LENGTH, DIGEST, DATE, TARGET, TOKEN, "authorization");

    private final SdkHttpRequest request;
    private final String region;
    private final String service;
    private final SignedHeaders signedHeaders;
    private final SignedHeaders signedHeadersWithToken;
    private final Spares<SigningTools> tools = new Spares<>(SigningTools::new);

    private volatile @Nullable Key lastKey;
    private volatile @Nullable Second lastSecond;

    /**
     * Signs requests to one address.
     *
     * @param request what is the same on all requests
     * @param headers those of them that are signed, the host among them, by name in lower case
     */
    RequestSigner(String region, String service, SdkHttpRequest request, Map<String, List<String>> headers) {
        this.request = request;
        this.region = region;
        this.service = service;
        Map<String, String> canonical = new TreeMap<>();
        headers.forEach((name, values) -> canonical.put(
                name, values.stream().map(RequestSigner::canonical).collect(Collectors.joining(","))));
        String path = canonicalPath(request);
        this.signedHeaders = SignedHeaders.of(path, canonical, List.of(LENGTH, DIGEST, DATE, TARGET));
        this.signedHeadersWithToken = SignedHeaders.of(path, canonical, List.of(LENGTH, DIGEST, DATE, TARGET, TOKEN));
    }

    /**
     * Returns the request with the headers of one call, the signature among them.
     *
     * @param target the operation, as its header has it
     */
    SdkHttpRequest sign(AwsCredentialsIdentity identity, Instant now, String target, byte[] body) {
        String token = identity instanceof AwsSessionCredentialsIdentity session ? session.sessionToken() : null;
        SignedHeaders signed = token == null ? signedHeaders : signedHeadersWithToken;
        Second second = second(now);
        Key key = key(identity, second.day, signed.names());
        String length = Integer.toString(body.length);
        SigningTools used = tools.take();
        String digest = used.sha256(body);
        String[] values = {length, digest, second.time, target, token == null ? "" : canonical(token)};
        signed.write(used, values, digest);
        String ofRequest = used.sha256();
        used.text(ALGORITHM)
                .text("\n")
                .text(second.time)
                .text("\n")
                .text(second.day)
                .text(key.scope)
                .text("\n")
                .text(ofRequest);
        String authorization = key.authorization + used.hmac(key.bytes);
        tools.giveBack(used); // not after a failure, in the midst of a digest
        return token == null
                ? new SignedRequest(
                        request,
                        ADDED,
                        List.of(
                                List.of(length),
                                List.of(digest),
                                second.header,
                                List.of(target),
                                List.of(authorization)))
                : new SignedRequest(
                        request,
                        ADDED_WITH_TOKEN,
                        List.of(
                                List.of(length),
                                List.of(digest),
                                second.header,
                                List.of(target),
                                List.of(token),
                                List.of(authorization)));
    }

    /** Without white space around it, and with one space for each run of white space in it. */
    private static String canonical(String value) {
        StringBuilder words = new StringBuilder(value.length());
        boolean between = false;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == ' ' || (c >= '\t' && c <= '\r')) {
                between = !words.isEmpty();
            } else {
                if (between) {
                    words.append(' ');
                    between = false;
                }
                words.append(c);
            }
        }
        return words.toString();
    }

    /** Normalized and encoded once more, as the SDK's signer does it. */
    private static String canonicalPath(SdkHttpRequest request) {
        String encoded = request.encodedPath();
        if (encoded.isEmpty() || encoded.equals("/")) {
            return "/";
        }
        URI address = request.getUri();
        String path = SdkHttpUtils.urlEncodeIgnoreSlashes(address.normalize().getRawPath());
        if (!path.startsWith("/")) {
            path += "/";
        }
        boolean added =
                path.length() > 1 && path.endsWith("/") && !address.getPath().endsWith("/");
        return added ? path.substring(0, path.length() - 1) : path;
    }

    private Second second(Instant now) {
        Second second = lastSecond;
        if (second == null || second.epoch != now.getEpochSecond()) {
            second = new Second(now.getEpochSecond(), TIME.format(now));
            lastSecond = second;
        }
        return second;
    }

    private Key key(AwsCredentialsIdentity identity, String day, String names) {
        Key key = lastKey;
        if (key == null || !key.isOf(identity, day, names)) {
            byte[] ofDay = hmac(("AWS4" + identity.secretAccessKey()).getBytes(StandardCharsets.UTF_8), day);
            byte[] ofService = hmac(hmac(ofDay, region), service);
            String scope = '/' + region + '/' + service + "/aws4_request";
            key = new Key(identity, day, names, scope, hmac(ofService, "aws4_request"));
            lastKey = key;
        }
        return key;
    }

    private static byte[] hmac(byte[] key, String text) {
        return SigningTools.mac(key).doFinal(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A second as requests name it. */
    private static final class Second {

        private final long epoch;
        private final String time;
        private final String day;
        private final List<String> header;

        Second(long epoch, String time) {
            this.epoch = epoch;
            this.time = time;
            this.day = time.substring(0, 8);
            this.header = List.of(time);
        }
    }

    /** No record: its text would have the secret. */
    private static final class Key {

        private final String accessKey;
        private final String secret;
        private final String day;
        private final String names;
        private final String scope;
        private final byte[] bytes;

        /** The header up to the signature. */
        private final String authorization;

        Key(AwsCredentialsIdentity identity, String day, String names, String scope, byte[] bytes) {
            this.accessKey = identity.accessKeyId();
            this.secret = identity.secretAccessKey();
            this.day = day;
            this.names = names;
            this.scope = scope;
            this.bytes = bytes;
            this.authorization = ALGORITHM + " Credential=" + accessKey + '/' + day + scope + ", SignedHeaders=" + names
                    + ", Signature=";
        }

        boolean isOf(AwsCredentialsIdentity identity, String aDay, String someNames) {
            return day.equals(aDay)
                    && names.equals(someNames)
                    && accessKey.equals(identity.accessKeyId())
                    && secret.equals(identity.secretAccessKey());
        }
    }

    /**
     * The canonical request but for the body's digest: text that is the same on all requests, and between its parts the values
     * of the headers that each request has of its own.
     *
     * @param texts one more than there are values
     * @param values their places in the array of values, in the order of the headers' names
     * @param names of all signed headers
     */
    private record SignedHeaders(List<byte[]> texts, List<Integer> values, String names) {

        static SignedHeaders of(String path, Map<String, String> same, List<String> own) {
            Map<String, String> all = new TreeMap<>(same);
            own.forEach(name -> all.put(name, ""));
            List<byte[]> texts = new ArrayList<>();
            List<Integer> values = new ArrayList<>();
            StringBuilder text = new StringBuilder("POST\n").append(path).append("\n\n");
            for (Map.Entry<String, String> header : all.entrySet()) {
                text.append(header.getKey()).append(':');
                if (own.contains(header.getKey())) {
                    texts.add(text.toString().getBytes(StandardCharsets.UTF_8));
                    values.add(own.indexOf(header.getKey()));
                    text.setLength(0);
                } else {
                    text.append(header.getValue());
                }
                text.append('\n');
            }
            String names = String.join(";", all.keySet());
            text.append('\n').append(names).append('\n');
            texts.add(text.toString().getBytes(StandardCharsets.UTF_8));
            return new SignedHeaders(List.copyOf(texts), List.copyOf(values), names);
        }

        void write(SigningTools tools, String[] ownValues, String bodyDigest) {
            for (int i = 0; i < values.size(); i++) {
                tools.bytes(texts.get(i)).text(ownValues[values.get(i)]);
            }
            tools.bytes(texts.getLast()).text(bodyDigest);
        }
    }
}
