/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import io.github.batchsqs.internal.support.Spares;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.HttpExecuteResponse;

/**
 * The body of a response, as far as it came.
 *
 * <p>Its creation is the one place that holds a connection while it reads: whatever happens, the connection returns to
 * the HTTP client, or closed when something of the body is left on it.
 *
 * <p>The bytes may be used until the close, which gives their buffer to the next response.
 */
final class ResponseBody implements AutoCloseable {

    /** Ten messages of 1 MiB in which JSON escapes every byte as six. */
    static final int LARGEST = 64 << 20;

    private static final int ROOM = 64 << 10;

    private static final Spares<byte[]> BUFFERS = new Spares<>(() -> new byte[ROOM]);

    private byte[] bytes = BUFFERS.take();
    private int length;
    private @Nullable IOException cut;

    /** Reads all of the body. */
    ResponseBody(HttpExecuteResponse response) {
        response.responseBody().ifPresent(this::readAll);
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

    private void readAll(AbortableInputStream stream) {
        try (stream) {
            fill(stream);
        } catch (IOException e) {
            cut = e;
        }
    }

    private void fill(InputStream stream) throws IOException {
        for (int read = 0; read >= 0; read = stream.read(bytes, length, bytes.length - length)) {
            length += read;
            if (length > LARGEST) {
                throw new IOException("The response is larger than " + LARGEST + " bytes");
            }
            if (length == bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.min(2 * length, LARGEST + 1));
            }
        }
    }

    @Override
    public void close() {
        if (bytes.length == ROOM) {
            BUFFERS.giveBack(bytes);
        }
    }
}
