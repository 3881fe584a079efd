/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client.sdk.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

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
}
