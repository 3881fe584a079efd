/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client.direct;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;
import software.amazon.awssdk.utils.http.SdkHttpUtils;

/**
 * AWS Signature Version 4 of a {@code POST} with a body in memory: what the SDK's signer does, tested to give the same
 * headers.
 *
 * <p>The signing key is a function of secret, day, region and service; the last one is kept.
 */
final class RequestSigner {

    private static final String ALGORITHM = "AWS4-HMAC-SHA256";
    private static final String HMAC = "HmacSHA256";
    private static final HexFormat HEX = HexFormat.of();
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private final String region;
    private final String service;
    private final String path;
    /** Names and canonical values of the headers that all requests have. */
    private final Map<String, String> headers;

    private volatile @Nullable Key lastKey;

    /**
     * Signs requests to one address.
     *
     * @param request has the path of the address
     * @param headers what all requests have and should be signed, the host among it, by name in lower case
     */
    RequestSigner(String region, String service, SdkHttpRequest request, Map<String, List<String>> headers) {
        this.region = region;
        this.service = service;
        this.path = canonicalPath(request);
        Map<String, String> canonical = new TreeMap<>();
        headers.forEach((name, values) -> canonical.put(
                name, values.stream().map(RequestSigner::canonical).collect(Collectors.joining(","))));
        this.headers = canonical;
    }

    /**
     * The headers that a request needs beyond those of all requests, the signature among them.
     *
     * @param own the headers of this request, by name in lower case
     */
    Map<String, String> sign(AwsCredentialsIdentity identity, Instant now, Map<String, String> own, byte[] body) {
        Map<String, String> added = new TreeMap<>(own);
        String time = TIME.format(now);
        String digest = HEX.formatHex(sha256(body));
        added.put("x-amz-date", time);
        added.put("x-amz-content-sha256", digest);
        if (identity instanceof AwsSessionCredentialsIdentity session) {
            added.put("x-amz-security-token", session.sessionToken());
        }
        Map<String, String> signed = new TreeMap<>(headers);
        signed.putAll(added);
        StringBuilder request =
                new StringBuilder(1_024).append("POST\n").append(path).append("\n\n");
        StringBuilder names = new StringBuilder(128);
        signed.forEach((name, value) -> {
            request.append(name).append(':').append(canonical(value)).append('\n');
            names.append(names.isEmpty() ? "" : ";").append(name);
        });
        request.append('\n').append(names).append('\n').append(digest);
        String scope = time.substring(0, 8) + '/' + region + '/' + service + "/aws4_request";
        String toSign =
                ALGORITHM + '\n' + time + '\n' + scope + '\n' + HEX.formatHex(sha256(bytes(request.toString())));
        Key key = key(identity.secretAccessKey(), time.substring(0, 8));
        added.put(
                "authorization",
                ALGORITHM + " Credential=" + identity.accessKeyId() + '/' + scope + ", SignedHeaders=" + names
                        + ", Signature=" + HEX.formatHex(hmac(key.bytes, toSign)));
        return added;
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
        return words.length() == value.length() ? value : words.toString();
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

    private Key key(String secret, String day) {
        Key key = lastKey;
        if (key == null || !key.day.equals(day) || !key.secret.equals(secret)) {
            byte[] ofDay = hmac(bytes("AWS4" + secret), day);
            byte[] ofService = hmac(hmac(ofDay, region), service);
            key = new Key(secret, day, hmac(ofService, "aws4_request"));
            lastKey = key;
        }
        return key;
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    private static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            return mac.doFinal(bytes(text));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("Every Java platform has HmacSHA256, for any key", e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** No record: its text would have the secret. */
    private static final class Key {

        private final String secret;
        private final String day;
        private final byte[] bytes;

        Key(String secret, String day, byte[] bytes) {
            this.secret = secret;
            this.day = day;
            this.bytes = bytes;
        }
    }
}
