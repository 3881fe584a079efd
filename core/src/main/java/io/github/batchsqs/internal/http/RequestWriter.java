/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpRequest;

/**
 * Writes a request at once. What would end a line within a header becomes a space, so that no value adds a header; a
 * character that a header cannot have becomes a question mark.
 */
final class RequestWriter {

    private static final String CONTENT_LENGTH = "Content-Length";

    /** A buffer above this size is not kept for the next request. */
    private static final int LARGEST_KEPT = 64 << 10;

    private final HttpConnection connection;
    private byte[] buffer;
    private int filled;
    private @Nullable String declared;
    private boolean hosted;

    RequestWriter(HttpConnection connection) {
        this.connection = connection;
        this.buffer = connection.spare();
    }

    /** Takes all of a request. Returns its size. */
    int take(HttpExecuteRequest given, Route route) throws IOException {
        SdkHttpRequest request = given.httpRequest();
        text(request.method().name());
        text(" ");
        text(path(request, route));
        text(" HTTP/1.1\r\n");
        if (!route.secure()) {
            text(route.authorization());
        }
        request.forEachHeader(this::header);
        if (!hosted) {
            header("Host", List.of(route.address()));
        }
        ContentStreamProvider content = given.contentStreamProvider().orElse(null);
        try (InputStream body = content == null ? InputStream.nullInputStream() : content.newStream()) {
            body(body, declared);
        }
        return filled;
    }

    private void body(InputStream body, @Nullable String length) throws IOException {
        if (length == null) {
            byte[] all = body.readAllBytes();
            body(new ByteArrayInputStream(all), Integer.toString(all.length));
            return;
        }
        text(CONTENT_LENGTH + ": ");
        value(length);
        text("\r\n\r\n");
        int size = Integer.parseInt(length);
        require(size);
        long sent = body.readNBytes(buffer, filled, size);
        filled += (int) sent;
        if (body.read() >= 0) { // too many: they are counted, and nothing is sent
            sent += 1 + body.transferTo(OutputStream.nullOutputStream());
        }
        if (sent != size) {
            throw new IOException("The request's body has " + sent + " bytes, but its Content-Length is " + length);
        }
    }

    void send() throws IOException {
        connection.out().write(buffer, 0, filled);
        connection.out().flush();
        if (buffer.length <= LARGEST_KEPT) {
            connection.spare(buffer);
        }
    }

    private static String path(SdkHttpRequest request, Route route) {
        String path = request.encodedPath().isEmpty() ? "/" : request.encodedPath();
        Optional<String> query = request.encodedQueryParameters();
        String whole = query.isPresent() ? path + "?" + query.get() : path;
        return route.proxy() == null || route.secure() ? whole : "http://" + route.address() + whole;
    }

    private void header(String name, List<String> values) {
        if (name.equalsIgnoreCase(CONTENT_LENGTH)) {
            declared = values.getFirst();
        } else if (!isOwn(name)) {
            hosted |= name.equalsIgnoreCase("Host");
            for (int i = 0; i < values.size(); i++) { // an iterator for each header would be garbage
                text(name);
                text(": ");
                value(values.get(i));
                text("\r\n");
            }
        }
    }

    /** Returns whether a header does not go out: it is about a connection of somebody else. */
    private static boolean isOwn(String name) {
        return name.equalsIgnoreCase("Transfer-Encoding") || name.equalsIgnoreCase("Expect");
    }

    private void text(String text) {
        require(text.length());
        for (int i = 0; i < text.length(); i++) {
            buffer[filled++] = (byte) text.charAt(i);
        }
    }

    private void value(String text) {
        require(text.length());
        for (int i = 0; i < text.length(); i++) {
            buffer[filled++] = octet(text.charAt(i));
        }
    }

    private static byte octet(char c) {
        boolean printable = (c >= 0x20 && c <= 0x7e) || (c >= 0xa0 && c <= 0xff) || c == '\t';
        if (printable) {
            return (byte) c;
        }
        boolean endsLines = c == '\r' || c == '\n' || c == '\f' || c == 0x0b;
        return (byte) (endsLines ? ' ' : '?');
    }

    private void require(int more) {
        if (buffer.length - filled < more) {
            buffer = Arrays.copyOf(buffer, Math.max(filled + more, 2 * buffer.length));
        }
    }
}
