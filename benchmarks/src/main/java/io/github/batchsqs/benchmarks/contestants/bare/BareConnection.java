/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.contestants.bare;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** One connection that is kept: signed requests, one after another. Not for several threads at once. */
final class BareConnection {

    private static final int FIRST_BYTES = 16 << 10;
    private static final int MIN_STATUS_BYTES = 12;
    private static final String LENGTH = "content-length:";

    private final BareSigner signer;
    private final byte[] head;
    private final InputStream in;
    private final OutputStream out;
    private byte[] buffer = new byte[FIRST_BYTES];

    /** Connects; over TLS if the endpoint has that scheme, with the platform's certificates and the host name checked. */
    BareConnection(URI endpoint) throws IOException, GeneralSecurityException {
        Socket socket = endpoint.getScheme().equals("https") ? tls(endpoint) : plain(endpoint);
        socket.setTcpNoDelay(true);
        String host = endpoint.getHost() + ":" + endpoint.getPort();
        this.signer = new BareSigner(host, "test", "test");
        this.head = bytes("POST / HTTP/1.1\r\nHost: " + host + "\r\nContent-Type: " + BareSigner.CONTENT_TYPE + "\r\n");
        this.in = socket.getInputStream();
        this.out = socket.getOutputStream();
    }

    private static Socket plain(URI endpoint) throws IOException {
        return new Socket(endpoint.getHost(), endpoint.getPort());
    }

    private static Socket tls(URI endpoint) throws IOException {
        SSLSocket socket =
                (SSLSocket) SSLSocketFactory.getDefault().createSocket(endpoint.getHost(), endpoint.getPort());
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        return socket;
    }

    /**
     * Makes a call and returns the body of its response.
     *
     * @param operation such as {@code ReceiveMessage}
     * @throws IOException if the status is not 200, among others
     */
    byte[] call(String operation, byte[] body) throws IOException, GeneralSecurityException {
        byte[] headers = bytes(signer.headers("AmazonSQS." + operation, body, Instant.now()) + "Content-Length: "
                + body.length + "\r\n\r\n");
        byte[] request = Arrays.copyOf(head, head.length + headers.length + body.length);
        System.arraycopy(headers, 0, request, head.length, headers.length);
        System.arraycopy(body, 0, request, head.length + headers.length, body.length);
        out.write(request);
        out.flush();
        return response();
    }

    private byte[] response() throws IOException {
        int read = 0;
        int end = -1;
        while (end < 0) {
            int from = Math.max(0, read - 3);
            read = more(read);
            end = endOfHeaders(from, read);
        }
        String headers = new String(buffer, 0, end, StandardCharsets.ISO_8859_1);
        int length = contentLength(headers);
        while (read < end + length) {
            read = more(read);
        }
        byte[] body = Arrays.copyOfRange(buffer, end, end + length);
        if (!headers.startsWith(" 200", MIN_STATUS_BYTES - 4)) {
            throw new IOException(headers + new String(body, StandardCharsets.UTF_8));
        }
        return body;
    }

    private int more(int read) throws IOException {
        if (read == buffer.length) {
            buffer = Arrays.copyOf(buffer, 2 * read);
        }
        int count = in.read(buffer, read, buffer.length - read);
        if (count < 0) {
            throw new EOFException("The server closed the connection");
        }
        return read + count;
    }

    /** Where the body begins, or -1 if the headers are not complete. */
    private int endOfHeaders(int from, int read) {
        for (int i = from; i + 3 < read; i++) {
            if (buffer[i] == '\r' && buffer[i + 1] == '\n' && buffer[i + 2] == '\r' && buffer[i + 3] == '\n') {
                return i + 4;
            }
        }
        return -1;
    }

    private static int contentLength(String headers) {
        int name = headers.toLowerCase(Locale.ROOT).indexOf(LENGTH);
        int from = name + LENGTH.length();
        return Integer.parseInt(
                headers.substring(from, headers.indexOf('\r', from)).strip());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
