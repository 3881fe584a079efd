/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client.sdk.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A response's body. Each read of it is progress of its call, and its end, its failure or its close ends the call. */
final class WatchedStream extends FilterInputStream {

    private final WatchedCall call;

    WatchedStream(InputStream body, WatchedCall call) {
        super(body);
        this.call = call;
    }

    @Override
    public int read() throws IOException {
        try {
            return noted(in.read());
        } catch (IOException | RuntimeException failure) {
            throw call.failed(failure);
        }
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        try {
            return noted(in.read(bytes, offset, length));
        } catch (IOException | RuntimeException failure) {
            throw call.failed(failure);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            super.close(); // may read what is left of the body
        } catch (IOException | RuntimeException failure) {
            throw call.failed(failure);
        }
        call.end();
    }

    private int noted(int read) {
        if (read < 0) {
            call.end();
        } else {
            call.progressed();
        }
        return read;
    }
}
