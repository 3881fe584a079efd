/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

/**
 * Writes a request, a small one at once. What would end a line within a header becomes a space, so that no value adds a header; a
 * character that a header cannot have becomes a question mark.
 */
final class RequestWriter extends OutputStream {

    private static final String CONTENT_LENGTH = "Content-Length";

    private final SdkHttpRequest request;
    private final Route route;
    private final HttpConnection connection;
    private final @Nullable ContentStreamProvider content;
    private final long length;

    private byte[] buffer;
    private int filled;
    private @Nullable String host;
    private long written;

    RequestWriter(HttpExecuteRequest given, Route route, HttpConnection connection) throws IOException {
        this.request = given.httpRequest();
        this.route = route;
        this.connection = connection;
        this.buffer = connection.head();
        ContentStreamProvider body = given.contentStreamProvider().orElse(null);
        String said = request.firstMatchingHeader(CONTENT_LENGTH).orElse(null);
        if (body == null) {
            this.content = null;
            this.length = 0;
        } else if (said != null) {
            this.content = body;
            this.length = Long.parseLong(said);
        } else {
            byte[] bytes = body.newStream().readAllBytes();
            this.content = () -> new ByteArrayInputStream(bytes);
            this.length = bytes.length;
        }
    }

    /** Returns the length of the body. */
    long length() {
        return length;
    }

    void write() throws IOException {
        text(request.method().name());
        text(" ");
        text(path());
        text(" HTTP/1.1\r\nHost: ");
        request.forEachHeader((name, values) -> {
            if (name.equalsIgnoreCase("Host") && !values.isEmpty()) {
                host = values.getFirst();
            }
        });
        value(host == null ? route.address() : host);
        text("\r\n");
        if (!route.secure()) {
            text(route.authorization());
        }
        request.forEachHeader(this::header);
        if (content != null || (request.method() != SdkHttpMethod.GET && request.method() != SdkHttpMethod.HEAD)) {
            text(CONTENT_LENGTH + ": " + length + "\r\n");
        }
        text("\r\n");
        if (content != null) {
            long sent = content.newStream().transferTo(this);
            if (sent != length) {
                throw new IOException("The request's body has " + sent + " bytes, but its Content-Length is " + length);
            }
        }
        flush();
        connection.head(buffer);
    }

    private String path() {
        String path = request.encodedPath().isEmpty() ? "/" : request.encodedPath();
        Optional<String> query = request.encodedQueryParameters();
        String whole = query.isPresent() ? path + "?" + query.get() : path;
        return route.proxy() == null || route.secure() ? whole : "http://" + route.address() + whole;
    }

    private void header(String name, List<String> values) {
        switch (name.toLowerCase(Locale.ROOT)) {
            case "host", "content-length", "transfer-encoding", "expect" -> {}
            default -> {
                for (String each : values) {
                    text(name);
                    text(": ");
                    value(each);
                    text("\r\n");
                }
            }
        }
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

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        if (written + count > length) {
            written += count; // too many: the sum is reported, and nothing of it is sent
            return;
        }
        written += count;
        if (filled > 0 && count <= 16_384) {
            require(count);
            System.arraycopy(bytes, offset, buffer, filled, count);
            filled += count;
            return;
        }
        flush();
        connection.out().write(bytes, offset, count);
    }

    @Override
    public void flush() throws IOException {
        if (filled > 0) {
            connection.out().write(buffer, 0, filled);
            filled = 0;
        }
        connection.out().flush();
    }
}
