/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Objects;

/** A request's body that writes itself without a copy and without a monitor, unlike the JDK's. */
final class BodyStream extends InputStream {

    private final byte[] body;
    private int position;

    BodyStream(byte[] body) {
        this.body = body;
    }

    @Override
    public int read() {
        return position == body.length ? -1 : body[position++] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) {
        int unused = Objects.checkFromIndexSize(offset, length, bytes.length);
        int left = body.length - position;
        if (left == 0) {
            return length == 0 ? 0 : -1;
        }
        int read = Math.min(length, left);
        System.arraycopy(body, position, bytes, offset, read);
        position += read;
        return read;
    }

    @Override
    public int available() {
        return body.length - position;
    }

    @Override
    public long transferTo(OutputStream out) throws IOException {
        int left = body.length - position;
        out.write(body, position, left);
        position = body.length;
        return left;
    }
}
