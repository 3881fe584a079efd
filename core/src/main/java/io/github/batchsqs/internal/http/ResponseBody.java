/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.http;

import io.github.batchsqs.internal.support.Spares;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.HttpExecuteResponse;

/** The whole body of a response. Its bytes may be used until the close, which gives their buffer to the next response. */
public final class ResponseBody extends ByteArrayInputStream {

    /** The maximum number of bytes: ten messages of 1 MiB in which JSON escapes every byte as six. */
    public static final int LARGEST = 64 << 20;

    private static final int MOST_TRAILERS = 200;
    private static final int ROOM = 64 << 10;
    private static final Spares<byte[]> BUFFERS = new Spares<>(() -> new byte[ROOM]);
    private static final byte[] CLOSED = {};

    private ResponseBody(byte[] bytes, int length) {
        super(bytes, 0, length);
    }

    /**
     * Reads the body of a response.
     *
     * @param length its length, or one of the constants of {@link ResponseHead}
     * @param call is told how much has come
     * @throws IOException if the connection ends before the body, or the body is malformed or too large
     */
    static ResponseBody read(HttpConnection connection, long length, CallDeadline call) throws IOException {
        ResponseBody body = new ResponseBody(BUFFERS.take(), 0);
        if (length == ResponseHead.CHUNKED) {
            body.fillByChunks(connection, call);
        } else {
            body.fill(connection, length, call);
        }
        return body;
    }

    /**
     * Returns the body of a response of any HTTP client.
     *
     * @throws IOException if it cannot be read
     */
    public static ResponseBody of(HttpExecuteResponse response) throws IOException {
        AbortableInputStream stream = response.responseBody().orElseGet(AbortableInputStream::createEmpty);
        if (stream.delegate() instanceof ResponseBody whole) {
            return whole;
        }
        try (stream) {
            byte[] bytes = stream.readAllBytes();
            return new ResponseBody(bytes, bytes.length);
        }
    }

    private void fillByChunks(HttpConnection connection, CallDeadline call) throws IOException {
        for (long size = chunk(connection.line()); size > 0; size = chunk(connection.line())) {
            fill(connection, size, call);
            if (!connection.line().isEmpty()) {
                throw new IOException("A chunk of the response does not end where it should");
            }
        }
        for (int i = 0; !connection.line().isEmpty(); i++) {
            if (i == MOST_TRAILERS) {
                throw new IOException("The response has more than " + MOST_TRAILERS + " trailers");
            }
        }
    }

    /** Returns the size of the chunk that begins with this line. */
    private static long chunk(String line) throws IOException {
        int extension = line.indexOf(';');
        long size = ResponseHead.number(extension < 0 ? line : line.substring(0, extension), 16);
        if (size < 0) {
            throw new IOException("A chunk of the response has the size '" + line + "'");
        }
        return size;
    }

    /** Reads so many bytes, or {@linkplain ResponseHead#UNTIL_CLOSED to the end of the connection}. */
    private void fill(HttpConnection connection, long wanted, CallDeadline call) throws IOException {
        for (long left = wanted == ResponseHead.UNTIL_CLOSED ? Long.MAX_VALUE : wanted; left > 0; ) {
            if (count == buf.length) {
                buf = Arrays.copyOf(buf, Math.min(2 * count, LARGEST + 1));
            }
            int read = connection.read(buf, count, (int) Math.min(left, buf.length - count));
            if (read < 0 && wanted == ResponseHead.UNTIL_CLOSED) {
                return;
            }
            if (read < 0) {
                throw new IOException("The connection ended before the response: " + left + " bytes are missing");
            }
            call.received(read);
            count += read;
            left -= read;
            if (count > LARGEST) {
                throw new IOException("The response is larger than " + LARGEST + " bytes");
            }
        }
    }

    /** Returns the bytes; those from {@link #length} on are meaningless. */
    public byte[] bytes() {
        return buf;
    }

    /** Returns the number of bytes. */
    public int length() {
        return count;
    }

    @Override
    public void close() {
        byte[] unused = buf;
        buf = CLOSED;
        pos = 0;
        count = 0;
        if (unused.length == ROOM) {
            BUFFERS.giveBack(unused);
        }
    }
}
