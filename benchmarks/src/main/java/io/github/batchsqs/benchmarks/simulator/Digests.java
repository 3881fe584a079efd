/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;

/** The digests that SQS returns and the SDK checks. */
final class Digests {

    private Digests() {}

    static String md5(byte[] bytes) {
        return hex("MD5", bytes);
    }

    static String sha256(byte[] bytes) {
        return hex("SHA-256", bytes);
    }

    /** By AWS's rule: name, type and value in the order of names, each after its length. */
    static String md5(SortedMap<String, AttributeValue> attributes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (Map.Entry<String, AttributeValue> entry : attributes.entrySet()) {
            AttributeValue attribute = entry.getValue();
            part(out, entry.getKey().getBytes(StandardCharsets.UTF_8));
            part(out, attribute.dataType().getBytes(StandardCharsets.UTF_8));
            out.write(attribute.binary() ? 2 : 1);
            part(
                    out,
                    attribute.binary()
                            ? Base64.getDecoder().decode(attribute.value())
                            : attribute.value().getBytes(StandardCharsets.UTF_8));
        }
        return md5(out.toByteArray());
    }

    private static void part(ByteArrayOutputStream out, byte[] bytes) {
        out.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        out.writeBytes(bytes);
    }

    private static String hex(String algorithm, byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has " + algorithm, e);
        }
    }
}
