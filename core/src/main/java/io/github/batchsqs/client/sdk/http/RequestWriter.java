/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client.sdk.http;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.io.HttpMessageWriter;
import org.apache.hc.core5.http.io.SessionOutputBuffer;

/**
 * Writes the request line and the headers of a {@link SentRequest}. As in Apache's own writer, what would end a line within a
 * header becomes a space, so that no value adds a header; a character that a header cannot have becomes a question mark.
 *
 * <p>Belongs to one connection, which has one call at a time.
 */
final class RequestWriter implements HttpMessageWriter<ClassicHttpRequest> {

    private static final int USUAL_HEAD = 1_024;

    /** Room for the ends of two lines, the last one and the empty one, is always left. */
    private static final int ENDS = 4;

    private byte[] head = new byte[USUAL_HEAD];
    private int length;

    @Override
    public void write(ClassicHttpRequest message, SessionOutputBuffer buffer, OutputStream out) throws IOException {
        length = 0;
        text(message.getMethod());
        text(" ");
        text(message.getPath());
        text(" HTTP/1.1");
        endLine();
        ((SentRequest) message).forEachHeader(this::header);
        endLine();
        buffer.write(head, 0, length, out);
    }

    private void header(String name, String value) {
        text(name);
        text(": ");
        text(value);
        endLine();
    }

    private void text(String text) {
        int end = length + text.length();
        if (end + ENDS > head.length) {
            head = Arrays.copyOf(head, Math.max(end + ENDS, 2 * head.length));
        }
        byte[] octets = head;
        int at = length;
        for (int i = 0; i < text.length(); i++) {
            octets[at++] = octet(text.charAt(i));
        }
        length = end;
    }

    private static byte octet(char c) {
        boolean printable = (c >= 0x20 && c <= 0x7e) || (c >= 0xa0 && c <= 0xff) || c == '\t';
        if (printable) {
            return (byte) c;
        }
        boolean endsLines = c == '\r' || c == '\n' || c == '\f' || c == 0x0b;
        return (byte) (endsLines ? ' ' : '?');
    }

    private void endLine() {
        head[length++] = '\r';
        head[length++] = '\n';
    }
}
