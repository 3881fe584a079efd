/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.function.Consumer;

/** A response's body. Its end returns the connection; a failure, or a close before the end, closes it. */
final class ResponseStream extends InputStream {

    /** What is left at a close, and is read so that the connection can be used again. */
    private static final int WORTH_READING = 8_192;

    private static final int MOST_TRAILERS = 200;

    private final CallDeadline call;
    private final Consumer<Boolean> end;
    private final HttpConnection connection;
    private final boolean chunked;

    /** What is left of the body, or of the chunk; {@link ResponseHead#UNTIL_CLOSED} if that is not known. */
    private long left;

    private boolean first = true;
    private boolean over;

    /**
     * Makes the stream of a body.
     *
     * @param end told when nothing of the body is read any more, and whether it was read to its end
     */
    ResponseStream(CallDeadline call, HttpConnection connection, long length, Consumer<Boolean> end) {
        this.call = call;
        this.end = end;
        this.connection = connection;
        this.chunked = length == ResponseHead.CHUNKED;
        this.left = chunked ? 0 : length;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int unused = Objects.checkFromIndexSize(offset, length, bytes.length);
        if (over) {
            return -1;
        }
        if (length == 0) {
            return 0;
        }
        boolean failed = true;
        try {
            int read = readBody(bytes, offset, length);
            failed = false;
            return read;
        } catch (IOException e) {
            throw call.failure(e);
        } finally {
            if (failed) {
                over = true;
                end.accept(false);
            }
        }
    }

    private int readBody(byte[] bytes, int offset, int length) throws IOException {
        if (chunked && left == 0 && !nextChunk()) {
            return end(true);
        }
        int most = left == ResponseHead.UNTIL_CLOSED ? length : (int) Math.min(length, left);
        int read = connection.read(bytes, offset, most);
        if (read < 0) {
            if (left == ResponseHead.UNTIL_CLOSED) {
                return end(false);
            }
            throw new IOException("The connection ended before the response: " + left + " bytes are missing");
        }
        call.received(read);
        if (left != ResponseHead.UNTIL_CLOSED) {
            left -= read;
            if (left == 0 && !chunked) {
                int ignored = end(true);
            }
        }
        return read;
    }

    private int end(boolean whole) {
        over = true;
        end.accept(whole);
        return -1;
    }

    /** Begins the next chunk; returns whether there is one. */
    private boolean nextChunk() throws IOException {
        if (!first && !connection.line().isEmpty()) {
            throw new IOException("A chunk of the response does not end where it should");
        }
        first = false;
        String size = connection.line();
        int extension = size.indexOf(';');
        try {
            left = Long.parseLong((extension < 0 ? size : size.substring(0, extension)).strip(), 16);
        } catch (NumberFormatException e) {
            throw new IOException("A chunk of the response has the size '" + size + "'", e);
        }
        if (left < 0) {
            throw new IOException("A chunk of the response has the size '" + size + "'");
        }
        if (left > 0) {
            return true;
        }
        for (int i = 0; !connection.line().isEmpty(); i++) {
            if (i == MOST_TRAILERS) {
                throw new IOException("The response has more than " + MOST_TRAILERS + " trailers");
            }
        }
        return false;
    }

    @Override
    public void close() throws IOException {
        if (over) {
            return;
        }
        if (!chunked && left > 0 && left <= WORTH_READING) {
            byte[] rest = new byte[(int) left];
            int count = 0;
            while (!over && count >= 0) {
                count = read(rest, 0, rest.length);
            }
            return;
        }
        over = true;
        end.accept(false);
    }
}
