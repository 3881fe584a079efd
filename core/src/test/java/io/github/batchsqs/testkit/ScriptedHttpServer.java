/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An HTTP/1.1 server that writes whatever bytes a test gives it, for responses that no HTTP library would send. */
public final class ScriptedHttpServer implements AutoCloseable {

    /** A request: its headers by name in lower case, and its body. */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares them
    public record Request(Map<String, String> headers, byte[] body) {

        /** Reads the next request of a connection; returns {@code null} at its end. */
        public static @Nullable Request read(InputStream in, OutputStream out) throws IOException {
            if (line(in) == null) {
                return null;
            }
            Map<String, String> headers = new TreeMap<>();
            for (String line = line(in); line != null && !line.isEmpty(); line = line(in)) {
                String[] header = line.split(":", 2);
                headers.put(header[0].toLowerCase(Locale.ROOT), header[1].strip());
            }
            if (headers.containsKey("expect")) {
                out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                out.flush();
            }
            int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
            byte[] body = in.readNBytes(length);
            return body.length < length ? null : new Request(headers, body);
        }

        /** Returns what is asked of SQS, such as {@code SendMessageBatch}. */
        public String operation() {
            String target = headers.getOrDefault("x-amz-target", "");
            return target.substring(target.indexOf('.') + 1);
        }

        private static @Nullable String line(InputStream in) throws IOException {
            StringBuilder line = new StringBuilder();
            for (int c = in.read(); c >= 0; c = in.read()) {
                if (c == '\n') {
                    return line.toString().stripTrailing();
                }
                line.append((char) c);
            }
            return null;
        }
    }

    /**
     * A response.
     *
     * @param bytes everything, from the status line on
     * @param close whether the connection is closed behind it
     */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares them
    public record Response(byte[] bytes, boolean close) {

        /** Builds a response with a Content-Length, after which the connection stays open. */
        public static Response of(int status, List<String> headers, byte[] body) {
            return new Response(bytes(status, headers, body.length, body), false);
        }

        /** Builds a response that claims a length of its own, and ends with the connection. */
        public static Response claiming(int status, List<String> headers, long length, byte[] body) {
            return new Response(bytes(status, withClose(headers), length, body), true);
        }

        /** Builds a response in two chunks; without the last one its end is the connection's. */
        public static Response chunked(int status, List<String> headers, byte[] body, boolean whole) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            head(bytes, status, headers);
            ascii(bytes, "Transfer-Encoding: chunked\r\n" + (whole ? "" : "Connection: close\r\n") + "\r\n");
            int half = body.length / 2;
            chunk(bytes, Arrays.copyOf(body, half));
            chunk(bytes, Arrays.copyOfRange(body, half, body.length));
            ascii(bytes, whole ? "0\r\n\r\n" : "");
            return new Response(bytes.toByteArray(), !whole);
        }

        /** Builds a response without a length: it ends with the connection. */
        public static Response untilClosed(int status, List<String> headers, byte[] body) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            head(bytes, status, withClose(headers));
            ascii(bytes, "\r\n");
            bytes.writeBytes(body);
            return new Response(bytes.toByteArray(), true);
        }

        /** Closes the connection after so many bytes of this response. */
        public Response cutAfter(int length) {
            return new Response(Arrays.copyOf(bytes, Math.min(length, bytes.length)), true);
        }

        /** Puts an interim response before this one. */
        public Response after(String interim) {
            ByteArrayOutputStream both = new ByteArrayOutputStream();
            ascii(both, interim);
            both.writeBytes(bytes);
            return new Response(both.toByteArray(), close);
        }

        private static byte[] bytes(int status, List<String> headers, long length, byte[] body) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            head(bytes, status, headers);
            ascii(bytes, "Content-Length: " + length + "\r\n\r\n");
            bytes.writeBytes(body);
            return bytes.toByteArray();
        }

        private static void head(ByteArrayOutputStream bytes, int status, List<String> headers) {
            ascii(bytes, "HTTP/1.1 " + status + " Scripted\r\n");
            headers.forEach(header -> ascii(bytes, header + "\r\n"));
        }

        private static void chunk(ByteArrayOutputStream bytes, byte[] part) {
            if (part.length > 0) {
                ascii(bytes, Integer.toHexString(part.length) + "\r\n");
                bytes.writeBytes(part);
                ascii(bytes, "\r\n");
            }
        }

        private static List<String> withClose(List<String> headers) {
            return Stream.concat(headers.stream(), Stream.of("Connection: close"))
                    .toList();
        }

        private static void ascii(ByteArrayOutputStream bytes, String text) {
            bytes.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    private final ConnectionServer server;

    /** Starts a server that asks the script for each response. */
    public ScriptedHttpServer(Function<Request, Response> script) {
        server = new ConnectionServer(socket -> converse(socket, script));
    }

    /** Returns the address of the server. */
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.port());
    }

    @Override
    public void close() {
        server.close();
    }

    private static void converse(Socket socket, Function<Request, Response> script) throws IOException {
        InputStream in = new BufferedInputStream(socket.getInputStream());
        OutputStream out = socket.getOutputStream();
        Request request = Request.read(in, out);
        while (request != null) {
            Response response = script.apply(request);
            out.write(response.bytes());
            request = response.close() ? null : Request.read(in, out);
        }
    }
}
