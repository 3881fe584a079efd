/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client.sdk.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A response's body. Its end, or a close that reads what is left, returns the connection; a failure closes it. */
final class PooledStream extends FilterInputStream {

    private final LeasedConnection connection;

    PooledStream(InputStream content, LeasedConnection connection) {
        super(content);
        this.connection = connection;
    }

    @Override
    public int read() throws IOException {
        try {
            return noted(in.read());
        } catch (Throwable failure) {
            connection.discard();
            throw failure;
        }
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        try {
            return noted(in.read(bytes, offset, length));
        } catch (Throwable failure) {
            connection.discard();
            throw failure;
        }
    }

    @Override
    public void close() throws IOException {
        if (!connection.isHeld()) {
            return; // returned at the end, or closed by a failure or an abort
        }
        try {
            in.close();
            connection.release();
        } catch (Throwable failure) {
            connection.discard();
            throw failure;
        }
    }

    private int noted(int read) {
        if (read < 0) {
            connection.release();
        }
        return read;
    }
}
