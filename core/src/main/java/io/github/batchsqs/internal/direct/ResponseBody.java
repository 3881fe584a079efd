/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import io.github.batchsqs.internal.support.Spares;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.Crc32MismatchException;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * The body of a response, as far as it came.
 *
 * <p>{@link #read} is the one place that holds a connection while it reads: whatever happens, the connection returns to
 * the HTTP client, or closed when something of the body is left on it.
 *
 * <p>The bytes may be used until the close, which gives their buffer to the next response.
 */
final class ResponseBody implements AutoCloseable {

    /** Ten messages of 1 MiB in which JSON escapes every byte as six. */
    static final int LARGEST = 64 << 20;

    /** Room for a response is taken as it comes, not as its Content-Length claims. */
    private static final int FIRST_ROOM = 64 << 10;

    private static final int LEAST_ROOM = 8 << 10;

    /** A claim of more than so many times of what has come is not believed yet. */
    private static final int BELIEVED = 16;

    private static final Spares<byte[]> BUFFERS = new Spares<>(() -> new byte[LEAST_ROOM]);

    private final byte[] bytes;
    private final int length;
    private final @Nullable IOException cut;
    private boolean closed;

    private ResponseBody(byte[] bytes, int length, @Nullable IOException cut) {
        this.bytes = bytes;
        this.length = length;
        this.cut = cut;
    }

    /** Returns the bytes; those from {@link #length} on are meaningless. */
    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    /** Returns why the body ended early, or {@code null} if it is whole. */
    @Nullable
    IOException cut() {
        return cut;
    }

    /** Reads all of the body. */
    static ResponseBody read(HttpExecuteResponse response) {
        AbortableInputStream stream = response.responseBody().orElse(null);
        if (stream == null) {
            return new ResponseBody(new byte[0], 0, null);
        }
        boolean atEnd = false;
        try {
            byte[] spare = BUFFERS.takeIfAny();
            long claimed = claimed(response.httpResponse());
            ResponseBody body = read(stream, spare == null ? new byte[firstRoom(claimed)] : spare, claimed);
            atEnd = body.cut == null;
            return body;
        } finally {
            if (!atEnd) {
                stream.abort();
            }
            close(stream);
        }
    }

    /**
     * Returns the body as the SDK reads that of a success: unpacked, and checked against the checksum that the response may
     * bear. An early end is left to the reader: it may have come behind all of the content.
     *
     * @throws IOException if it cannot be unpacked
     */
    ResponseBody content(SdkHttpResponse response) throws IOException {
        String checksum = response.firstMatchingHeader("x-amz-crc32").orElse(null);
        Long expected = checksum == null ? null : Long.valueOf(checksum);
        boolean packed =
                response.firstMatchingHeader("Content-Encoding").orElse("").equals("gzip");
        ResponseBody content = packed ? unpacked() : this;
        if (expected != null && content.cut == null) {
            CRC32 crc = new CRC32();
            crc.update(content.bytes, 0, content.length);
            if (crc.getValue() != expected) {
                throw Crc32MismatchException.builder()
                        .message("Expected " + expected + " as the CRC32 of the response, but it is " + crc.getValue())
                        .build();
            }
        }
        return content;
    }

    private ResponseBody unpacked() throws IOException {
        InputStream packed = new ByteArrayInputStream(bytes, 0, length);
        try (InputStream stream = new GZIPInputStream(packed)) {
            return read(stream, new byte[FIRST_ROOM], -1);
        }
    }

    private static ResponseBody read(InputStream stream, byte[] buffer, long claimed) {
        byte[] bytes = buffer;
        int length = 0;
        try {
            for (int read = 0; read >= 0; read = stream.read(bytes, length, bytes.length - length)) {
                length += read;
                if (length == bytes.length) {
                    if (length > LARGEST) {
                        throw new IOException("The response is larger than " + LARGEST + " bytes");
                    }
                    bytes = Arrays.copyOf(bytes, nextRoom(length, claimed));
                }
            }
            return new ResponseBody(bytes, length, null);
        } catch (IOException e) {
            return new ResponseBody(bytes, length, e);
        }
    }

    @Override
    public void close() {
        if (!closed && bytes.length >= LEAST_ROOM && bytes.length <= FIRST_ROOM) {
            BUFFERS.giveBack(bytes);
        }
        closed = true;
    }

    /** Room for the whole body and one byte more, so that one read finds its end. */
    private static int firstRoom(long claimed) {
        return claimed < 0 ? FIRST_ROOM : Math.clamp(claimed, LEAST_ROOM - 1, FIRST_ROOM - 1) + 1;
    }

    /**
     * Twice the room, and beyond that of a spare buffer what the response claims to need, if that is not too far from what has come: large
     * bodies are copied twice at most, and have no room to spare.
     */
    private static int nextRoom(int length, long claimed) {
        long doubled = 2L * length;
        boolean believed = doubled > FIRST_ROOM && claimed >= length;
        return (int) Math.min(believed ? Math.min(claimed, (long) BELIEVED * length) + 1 : doubled, LARGEST + 1);
    }

    /** Returns the Content-Length, or -1 if there is none. */
    private static long claimed(SdkHttpResponse response) {
        try {
            return Long.parseLong(response.firstMatchingHeader("Content-Length").orElse("-1"));
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static void close(InputStream stream) {
        try {
            stream.close();
        } catch (IOException e) {
            // What was read counts; the connection is closed in any case
        }
    }
}
