/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A call of the AWS JSON protocol as it comes over a connection: an HTTP/1.1 POST with a length. */
final class Call {

    private static final int LONGEST_LINE = 1 << 14;

    /** By their names in lower case. */
    private final Map<String, String> headers;

    private final byte[] body;

    private Call(Map<String, String> headers, byte[] body) {
        this.headers = headers;
        this.body = body;
    }

    /** The next call, or {@code null} at the connection's end. */
    static @Nullable Call read(InputStream in, OutputStream out) throws IOException {
        String start = line(in);
        if (start == null) {
            return null;
        }
        Map<String, String> headers = new TreeMap<>();
        for (String line = line(in); line != null && !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        if (headers.containsKey("expect")) {
            out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            out.flush();
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            throw new EOFException("A call ended after " + body.length + " of " + length + " bytes");
        }
        return new Call(headers, body);
    }

    /** The JSON text. */
    byte[] body() {
        return body;
    }

    /** Such as {@code SendMessageBatch}. */
    String operation() {
        String target = headers.getOrDefault("x-amz-target", "");
        return target.substring(target.indexOf('.') + 1);
    }

    /** The headers to hand on, each name before its value. */
    String[] handedOn() {
        List<String> all = new ArrayList<>();
        headers.forEach((name, value) -> {
            if (name.startsWith("x-amz-") || name.equals("content-type") || name.equals("authorization")) {
                all.add(name);
                all.add(value);
            }
        });
        return all.toArray(String[]::new);
    }

    Call withBody(byte[] newBody) {
        return new Call(headers, newBody);
    }

    private static @Nullable String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0 && line.length() < LONGEST_LINE; c = in.read()) {
            if (c == '\n') {
                return line.toString().stripTrailing();
            }
            line.append((char) c);
        }
        return null;
    }
}
