/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client.sdk.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hc.core5.http.io.entity.AbstractHttpEntity;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.ContentStreamProvider;

/** A request's body, whose length is known. The SDK's stream writes itself, and is not closed: the SDK does that. */
final class RequestBody extends AbstractHttpEntity {

    private final ContentStreamProvider content;
    private final long length;

    private RequestBody(ContentStreamProvider content, long length) {
        super((String) null, null);
        this.content = content;
        this.length = length;
    }

    /**
     * Returns a body.
     *
     * @param length as the request's header has it; {@code null} if it has none, and then the body is read
     */
    static RequestBody of(ContentStreamProvider content, @Nullable String length) throws IOException {
        if (length != null) {
            return new RequestBody(content, Long.parseLong(length));
        }
        byte[] bytes = content.newStream().readAllBytes();
        return new RequestBody(() -> new ByteArrayInputStream(bytes), bytes.length);
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
        long written = content.newStream().transferTo(out);
        if (written != length) {
            throw new IOException("The request's body has " + written + " bytes, but its Content-Length is " + length);
        }
    }

    @Override
    public long getContentLength() {
        return length;
    }

    @Override
    public InputStream getContent() {
        return content.newStream();
    }

    @Override
    public boolean isStreaming() {
        return false;
    }

    @Override
    public boolean isRepeatable() {
        return true;
    }

    @Override
    public void close() {}
}
