/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.http;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.SdkHttpFullResponse;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * Status and headers of a response, and what they mean for its body and its connection. The headers stay lines until somebody asks for
 * one.
 *
 * @param text what follows the status
 * @param old whether the version is 1.0
 * @param lines the headers as they came
 */
@SuppressWarnings("serial") // the list is
record ResponseHead(int statusCode, String text, boolean old, List<String> lines) implements SdkHttpFullResponse {

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
            if (head.statusCode / 100 != 1 || head.statusCode == 101) {
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
        int space = line.indexOf(' ');
        int end = line.indexOf(' ', space + 1);
        int status = status(line.substring(space + 1, end < 0 ? line.length() : end));
        List<String> lines = new ArrayList<>();
        for (String header = connection.line(); !header.isEmpty(); header = connection.line()) {
            if (lines.size() == MOST_HEADERS) {
                throw new IOException("The header count exceeds " + MOST_HEADERS);
            }
            if (header.indexOf(':') <= 0) {
                throw new IOException("The response has a header without a name");
            }
            lines.add(header);
        }
        return new ResponseHead(status, end < 0 ? "" : line.substring(end + 1), line.startsWith("HTTP/1.0"), lines);
    }

    private static int status(String text) throws IOException {
        long status = number(text, 10);
        if (status < 100 || status > 999) {
            throw new IOException("The response has the status '" + text + "'");
        }
        return (int) status;
    }

    /** Returns the number that a text is, or -1 if it is none, or a negative one. */
    static long number(String text, int radix) {
        try {
            return Math.max(-1, Long.parseLong(text.strip(), radix));
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    @Override
    public Optional<String> statusText() {
        return Optional.of(text);
    }

    @Override
    public List<String> matchingHeaders(String name) {
        List<String> values = List.of();
        for (String line : lines) {
            int colon = line.indexOf(':');
            if (colon >= name.length()
                    && line.regionMatches(true, 0, name, 0, name.length())
                    && line.substring(name.length(), colon).isBlank()) {
                values = values.isEmpty() ? new ArrayList<>(1) : values;
                values.add(line.substring(colon + 1).strip());
            }
        }
        return values;
    }

    @Override
    public Map<String, List<String>> headers() {
        return toBuilder().headers();
    }

    @Override
    public SdkHttpFullResponse.Builder toBuilder() {
        SdkHttpFullResponse.Builder response =
                SdkHttpResponse.builder().statusCode(statusCode).statusText(text);
        for (String line : lines) {
            int colon = line.indexOf(':');
            response.appendHeader(
                    line.substring(0, colon).strip(), line.substring(colon + 1).strip());
        }
        return response;
    }

    @Override
    public Optional<AbortableInputStream> content() {
        return Optional.empty();
    }

    private String first(String name) {
        List<String> values = matchingHeaders(name);
        return values.isEmpty() ? "" : values.getFirst();
    }

    /** Returns whether the version and the headers let the connection stay open. */
    boolean persistent() {
        String connection = first("Connection").toLowerCase(Locale.ROOT);
        return old ? connection.contains("keep-alive") : !connection.contains("close");
    }

    /** Returns the length of the body, or one of the constants. */
    long length() throws IOException {
        if (statusCode == 204 || statusCode == 304) {
            return 0;
        }
        String coding = first("Transfer-Encoding");
        if (coding.toLowerCase(Locale.ROOT).endsWith("chunked")) {
            return CHUNKED;
        }
        List<String> lengths = matchingHeaders("Content-Length");
        if (!coding.isEmpty() || lengths.isEmpty()) {
            return UNTIL_CLOSED;
        }
        long length = number(lengths.getFirst(), 10);
        if (length < 0 || Collections.frequency(lengths, lengths.getFirst()) != lengths.size()) {
            throw new IOException("The response has the Content-Length " + lengths);
        }
        return length;
    }
}
