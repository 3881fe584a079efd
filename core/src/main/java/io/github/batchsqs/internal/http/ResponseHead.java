/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.http;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * Status and headers of a response, and what they mean for its body and its connection.
 *
 * @param response status and headers
 * @param persistent whether the version and the headers let the connection stay open
 */
record ResponseHead(SdkHttpResponse response, boolean persistent) {

    private static final int MOST_HEADERS = 200;

    /** Interim responses, such as {@code 100 Continue}, that a server may send before the response. */
    private static final int MOST_INTERIM = 10;

    /** The length of a body that ends with the connection. */
    static final long UNTIL_CLOSED = -1;

    /** The length of a body in chunks. */
    static final long CHUNKED = -2;

    /** Reads the head of the response, and leaves out interim ones. */
    static ResponseHead read(HttpConnection connection) throws IOException {
        for (int i = 0; i <= MOST_INTERIM; i++) {
            ResponseHead head = one(connection);
            if (head.status() / 100 != 1 || head.status() == 101) {
                return head;
            }
        }
        throw new IOException("More than " + MOST_INTERIM + " interim responses came before the response");
    }

    private static ResponseHead one(HttpConnection connection) throws IOException {
        String line = connection.line();
        if (!line.startsWith("HTTP/1.") || line.length() < 12) {
            throw new IOException("The response does not begin with the status line of HTTP/1.1");
        }
        SdkHttpResponse.Builder response = SdkHttpResponse.builder();
        int space = line.indexOf(' ');
        int end = line.indexOf(' ', space + 1);
        response.statusCode(status(line.substring(space + 1, end < 0 ? line.length() : end)));
        response.statusText(end < 0 ? "" : line.substring(end + 1));
        int headers = 0;
        String header = connection.line();
        while (!header.isEmpty()) {
            if (++headers > MOST_HEADERS) {
                throw new IOException("The header count exceeds " + MOST_HEADERS);
            }
            int colon = header.indexOf(':');
            if (colon <= 0) {
                throw new IOException("The response has a header without a name");
            }
            response.appendHeader(
                    header.substring(0, colon).strip(),
                    header.substring(colon + 1).strip());
            header = connection.line();
        }
        SdkHttpResponse made = response.build();
        return new ResponseHead(made, isPersistent(made, line.startsWith("HTTP/1.0")));
    }

    private static int status(String text) throws IOException {
        try {
            int status = Integer.parseInt(text.strip());
            if (status >= 100 && status <= 999) {
                return status;
            }
        } catch (NumberFormatException e) {
            // as a number out of range
        }
        throw new IOException("The response has the status '" + text + "'");
    }

    private static boolean isPersistent(SdkHttpResponse response, boolean old) {
        String connection =
                response.firstMatchingHeader("Connection").orElse("").toLowerCase(Locale.ROOT);
        return old ? connection.contains("keep-alive") : !connection.contains("close");
    }

    int status() {
        return response.statusCode();
    }

    /** Returns the length of the body, or one of the constants. */
    long length() throws IOException {
        if (status() == 204 || status() == 304) {
            return 0;
        }
        String coding = response.firstMatchingHeader("Transfer-Encoding").orElse("");
        if (coding.toLowerCase(Locale.ROOT).endsWith("chunked")) {
            return CHUNKED;
        }
        List<String> lengths = response.matchingHeaders("Content-Length");
        if (!coding.isEmpty() || lengths.isEmpty()) {
            return UNTIL_CLOSED;
        }
        try {
            long length = Long.parseLong(lengths.getFirst());
            if (length >= 0 && lengths.stream().allMatch(lengths.getFirst()::equals)) {
                return length;
            }
        } catch (NumberFormatException e) {
            // as a negative one
        }
        throw new IOException("The response has the Content-Length " + lengths);
    }

    /** Returns how long the server keeps the connection, in nanoseconds; {@link Long#MAX_VALUE} if it does not say. */
    long kept() {
        for (String part : response.firstMatchingHeader("Keep-Alive").orElse("").split(",", -1)) {
            String[] pair = part.strip().split("=", 2);
            if (pair.length == 2 && pair[0].equalsIgnoreCase("timeout")) {
                try {
                    return TimeUnit.SECONDS.toNanos(Long.parseLong(pair[1].strip()));
                } catch (NumberFormatException e) {
                    return Long.MAX_VALUE;
                }
            }
        }
        return Long.MAX_VALUE;
    }
}
