/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** An open connection, with the bytes that were read ahead. One call uses it at a time. */
final class HttpConnection {

    /** A connection that was idle for less is not looked at. */
    private static final long FRESH = TimeUnit.MILLISECONDS.toNanos(20);

    private static final int LONGEST_LINE = 65_536;

    private final Route route;
    private final SocketChannel channel;
    private final InputStream in;
    private final OutputStream out;

    /** When it is closed even if it is busy. */
    private final long endsAt;

    private final byte[] buffer;
    private int position;
    private int limit;

    private byte[] spare = new byte[2_048];

    private long idleSince;

    HttpConnection(Route route, SocketChannel channel, InputStream in, OutputStream out, long endsAt, int ahead) {
        this.route = route;
        this.channel = channel;
        this.in = in;
        this.out = out;
        this.endsAt = endsAt;
        this.buffer = new byte[ahead];
    }

    Route route() {
        return route;
    }

    SocketChannel channel() {
        return channel;
    }

    OutputStream out() {
        return out;
    }

    /** Returns a buffer for the next request. */
    byte[] spare() {
        return spare;
    }

    void spare(byte[] buffer) {
        spare = buffer;
    }

    /** Makes it ready for the pool. */
    void becomeIdle(long now) {
        idleSince = now;
    }

    boolean isIdleSince(long nanos) {
        return idleSince - nanos < 0;
    }

    boolean isOver(long now, long idle) {
        return now - idleSince >= idle || now - endsAt >= 0;
    }

    /** Returns whether another call may use it: it is not too old, and the server has neither closed it nor sent anything. */
    boolean mayBeUsed(long now) {
        if (isOver(now, Long.MAX_VALUE) || position < limit) {
            return false;
        }
        return now - idleSince < FRESH || isSilent();
    }

    private boolean isSilent() {
        try {
            channel.configureBlocking(false);
            try {
                return channel.read(ByteBuffer.allocate(1)) == 0;
            } finally {
                channel.configureBlocking(true);
            }
        } catch (IOException e) {
            return false;
        }
    }

    /** Reads up to so many bytes, as a stream does. */
    int read(byte[] bytes, int offset, int length) throws IOException {
        if (position == limit) {
            if (length >= buffer.length) {
                return in.read(bytes, offset, length);
            }
            if (!fill()) {
                return -1;
            }
        }
        int read = Math.min(length, limit - position);
        System.arraycopy(buffer, position, bytes, offset, read);
        position += read;
        return read;
    }

    private boolean fill() throws IOException {
        position = 0;
        limit = Math.max(0, in.read(buffer, 0, buffer.length));
        return limit > 0;
    }

    /**
     * Reads a line without its end.
     *
     * @throws IOException if it is too long, or the connection ends before its end
     */
    String line() throws IOException {
        String begin = "";
        while (true) {
            int end = position;
            while (end < limit && buffer[end] != '\n') {
                end++;
            }
            boolean whole = end < limit;
            int length = end - position - (whole && end > position && buffer[end - 1] == '\r' ? 1 : 0);
            String part = new String(buffer, position, length, StandardCharsets.ISO_8859_1);
            if (begin.length() + length > LONGEST_LINE) {
                throw new IOException("The line length limit of " + LONGEST_LINE + " bytes is exceeded");
            }
            if (whole) {
                boolean split = end == position && begin.endsWith("\r");
                position = end + 1;
                return begin.isEmpty() ? part : split ? begin.substring(0, begin.length() - 1) : begin.concat(part);
            }
            begin = begin.concat(part);
            if (!fill()) {
                throw new IOException(
                        begin.isEmpty() ? "The server closed the connection" : "The connection ended within a line");
            }
        }
    }

    /** Closes the connection; any thread may. The channel itself: the close of a TLS socket may wait for a writer. */
    void close() {
        close(channel);
    }

    static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // It is closed all the same
        }
    }
}
