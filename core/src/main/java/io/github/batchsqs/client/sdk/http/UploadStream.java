/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client.sdk.http;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** A request's body. Each read of it is progress of its call. */
final class UploadStream extends FilterInputStream {

    private final DeadlineRequest.Upload upload;

    UploadStream(InputStream body, DeadlineRequest.Upload upload) {
        super(body);
        this.upload = upload;
    }

    @Override
    public int read() throws IOException {
        upload.progressed();
        return in.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        upload.progressed();
        return in.read(bytes, offset, length);
    }

    /** Lets the body write itself, by parts that are small enough to be progress. */
    @Override
    public long transferTo(OutputStream out) throws IOException {
        return in.transferTo(new Parts(out, upload));
    }

    private static final class Parts extends FilterOutputStream {

        private static final int LARGEST = 16 << 10; // above the buffer of a connection, and one record of TLS

        private final DeadlineRequest.Upload upload;

        Parts(OutputStream out, DeadlineRequest.Upload upload) {
            super(out);
            this.upload = upload;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            for (int done = 0; done < length; done += LARGEST) {
                upload.progressed();
                out.write(bytes, offset + done, Math.min(LARGEST, length - done));
            }
        }
    }
}
