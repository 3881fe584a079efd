/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import io.github.batchsqs.internal.support.Hashes;
import io.github.batchsqs.internal.support.Spares;
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
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
 * <p>The signing key is a function of secret, day, region and service; the last one is kept, as is the last second's text. Safe for
 * use by any thread.
 */
final class RequestSigner {

    private static final String ALGORITHM = "AWS4-HMAC-SHA256";
    private static final String HMAC = "HmacSHA256";
    private static final HexFormat HEX = HexFormat.of();
    private static final Spares<MessageDigest> DIGESTS = new Spares<>(Hashes::sha256);
    private static final Pattern SPACES = Pattern.compile("[ \\t-\\r]+");
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    /** The headers that each request has of its own, sorted as the signature needs them. */
    private static final List<String> OWN =
            List.of("content-length", "x-amz-content-sha256", "x-amz-date", "x-amz-target");

    private static final List<String> OWN_WITH_TOKEN =
            List.of("content-length", "x-amz-content-sha256", "x-amz-date", "x-amz-security-token", "x-amz-target");

    private final SdkHttpRequest request;
    private final String region;
    private final String service;
    private final String path;

    /** The headers that are the same on all requests. */
    private final Map<String, String> same = new TreeMap<>();

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
        this.path = canonicalPath(request);
        headers.forEach((name, values) ->
                same.put(name, values.stream().map(RequestSigner::canonical).collect(Collectors.joining(","))));
    }

    /**
     * Returns the request with the headers of one call, the signature among them.
     *
     * @param target the operation, as its header has it
     */
    SdkHttpRequest sign(AwsCredentialsIdentity identity, Instant now, String target, JsonWriter body) {
        Second second = second(now);
        Key key = key(identity, second.day());
        String token = key.token;
        Signed form = key.form;
        MessageDigest sha256 = DIGESTS.take();
        Mac mac = key.macs.take();
        JsonWriter text = JsonWriter.take();
        String[] own = new String[form.own.size()];
        int signature = own.length - 1;
        own[0] = Integer.toString(body.length());
        own[1] = HEX.formatHex(body.digest(sha256));
        own[2] = second.time;
        if (token != null) {
            own[3] = key.canonicalToken;
        }
        own[signature - 1] = target;
        for (int i = 0; i < signature; i++) {
            text.raw(form.parts.get(i)).raw(own[i]);
        }
        String ofRequest =
                HEX.formatHex(text.raw(form.parts.getLast()).raw(own[1]).digest(sha256));
        text.clear().raw(ALGORITHM).raw("\n").raw(second.time).raw("\n").raw(second.day());
        text.raw(key.scope).raw("\n").raw(ofRequest);
        own[signature] = key.authorization.concat(HEX.formatHex(text.code(mac)));
        if (token != null) {
            own[3] = token; // as it came
        }
        DIGESTS.giveBack(sha256); // nothing after a failure, in the midst of a digest
        key.macs.giveBack(mac);
        text.giveBack();
        return new SignedRequest(request, form.own(), own);
    }

    /** Without white space around it, and with one space for each run of white space in it. */
    private static String canonical(String value) {
        return SPACES.matcher(value).replaceAll(" ").strip();
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

    private static @Nullable String tokenOf(AwsCredentialsIdentity identity) {
        return identity instanceof AwsSessionCredentialsIdentity session
                ? session.sessionToken().trim()
                : null;
    }

    private Second second(Instant now) {
        Second second = lastSecond;
        if (second == null || second.epoch != now.getEpochSecond()) {
            String time = TIME.format(now);
            second = new Second(now.getEpochSecond(), time, time.substring(0, 8));
            lastSecond = second;
        }
        return second;
    }

    private Key key(AwsCredentialsIdentity identity, String day) {
        Key key = lastKey;
        if (key == null || !key.isOf(identity, day)) {
            byte[] secret = ("AWS4" + identity.secretAccessKey().trim()).getBytes(StandardCharsets.UTF_8);
            byte[] ofService = hmac(mac(hmac(mac(hmac(mac(secret), day)), region)), service);
            String scope = '/' + region + '/' + service + "/aws4_request";
            Signed form = Signed.of(path, same, tokenOf(identity) == null ? OWN : OWN_WITH_TOKEN);
            key = new Key(identity, day, form, scope, hmac(mac(ofService), "aws4_request"));
            lastKey = key;
        }
        return key;
    }

    private static Mac mac(byte[] key) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            return mac;
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("Every Java platform has HmacSHA256, for any key", e);
        }
    }

    private static byte[] hmac(Mac mac, String text) {
        return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A second as requests name it. */
    private record Second(long epoch, String time, String day) {}

    /** Its parts are trimmed as the SDK does it. No record: its text would have the secret. */
    private static final class Key {

        private final AwsCredentialsIdentity identity;
        private final @Nullable String token;
        private final String canonicalToken;
        private final String day;
        private final Signed form;
        private final String scope;

        private final Spares<Mac> macs;

        /** The header up to the signature. */
        private final String authorization;

        Key(AwsCredentialsIdentity identity, String day, Signed form, String scope, byte[] bytes) {
            this.identity = identity;
            this.token = tokenOf(identity);
            this.canonicalToken = token == null ? "" : canonical(token);
            this.day = day;
            this.form = form;
            this.scope = scope;
            this.macs = new Spares<>(() -> RequestSigner.mac(bytes));
            this.authorization =
                    ALGORITHM + " Credential=" + identity.accessKeyId().trim() + '/' + day + scope + ", SignedHeaders="
                            + form.names + ", Signature=";
        }

        boolean isOf(AwsCredentialsIdentity other, String aDay) {
            return day.equals(aDay) && identity.equals(other);
        }
    }

    /**
     * The canonical request in parts that are the same on all requests: between them are the values of the headers that each has of
     * its own, and behind the last one is the digest of the body.
     *
     * @param parts with a character for each byte
     * @param names of all signed headers
     * @param own the names of the headers that each request has of its own, that of the signature behind the signed ones
     */
    private record Signed(List<String> parts, String names, List<String> own) {

        static Signed of(String path, Map<String, String> same, List<String> own) {
            Map<String, String> all = new TreeMap<>(same);
            own.forEach(name -> all.put(name, "\0"));
            StringBuilder text = new StringBuilder("POST\n").append(path).append("\n\n");
            all.forEach(
                    (name, value) -> text.append(name).append(':').append(value).append('\n'));
            String names = String.join(";", all.keySet());
            text.append('\n').append(names).append('\n');
            byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
            List<String> parts = List.of(new String(bytes, StandardCharsets.ISO_8859_1).split("\0", -1));
            return new Signed(
                    parts,
                    names,
                    Stream.concat(own.stream(), Stream.of("authorization")).toList());
        }
    }
}
