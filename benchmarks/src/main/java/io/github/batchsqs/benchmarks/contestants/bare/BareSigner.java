/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.contestants.bare;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** AWS Signature Version 4 of the requests on one connection. The key of the day is kept. Not for several threads. */
final class BareSigner {

    static final String CONTENT_TYPE = "application/x-amz-json-1.0";

    private static final String SIGNED = "content-type;host;x-amz-content-sha256;x-amz-date;x-amz-target";
    private static final String SCOPE = "/us-east-1/sqs/aws4_request";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private final String host;
    private final String accessKey;
    private final String secret;
    private final MessageDigest sha256;
    private final Mac mac;
    private long second = -1;
    private String time = "";
    private String day = "";

    /**
     * Prepares it.
     *
     * @param host the host's header, with the port
     */
    BareSigner(String host, String accessKey, String secret) throws GeneralSecurityException {
        this.host = host;
        this.accessKey = accessKey;
        this.secret = secret;
        this.sha256 = MessageDigest.getInstance("SHA-256");
        this.mac = Mac.getInstance("HmacSHA256");
    }

    /** Returns the headers that the signature adds to a request, each with its line end. */
    String headers(String target, byte[] body, Instant now) throws GeneralSecurityException {
        tick(now);
        String bodyDigest = hex(sha256.digest(body));
        String request = "POST\n/\n\ncontent-type:" + CONTENT_TYPE + "\nhost:" + host + "\nx-amz-content-sha256:"
                + bodyDigest + "\nx-amz-date:" + time + "\nx-amz-target:" + target + "\n\n" + SIGNED + '\n'
                + bodyDigest;
        String text = "AWS4-HMAC-SHA256\n" + time + '\n' + day + SCOPE + '\n' + hex(sha256.digest(bytes(request)));
        return "X-Amz-Content-Sha256: " + bodyDigest + "\r\nX-Amz-Date: " + time + "\r\nX-Amz-Target: " + target
                + "\r\nAuthorization: AWS4-HMAC-SHA256 Credential=" + accessKey + '/' + day + SCOPE
                + ", SignedHeaders=" + SIGNED + ", Signature=" + hex(mac.doFinal(bytes(text))) + "\r\n";
    }

    private void tick(Instant now) throws GeneralSecurityException {
        if (now.getEpochSecond() == second) {
            return;
        }
        second = now.getEpochSecond();
        time = TIME.format(now);
        String today = time.substring(0, 8);
        if (!today.equals(day)) {
            day = today;
            byte[] key = bytes("AWS4" + secret);
            for (String part : new String[] {day, "us-east-1", "sqs", "aws4_request"}) {
                mac.init(new SecretKeySpec(key, "HmacSHA256"));
                key = mac.doFinal(bytes(part));
            }
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
        }
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
