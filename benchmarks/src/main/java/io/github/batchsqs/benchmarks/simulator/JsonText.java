/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;

/** Writes JSON straight into a buffer. */
final class JsonText {

    private final ByteBuf out;

    JsonText(ByteBuf out) {
        this.out = out;
    }

    ByteBuf buffer() {
        return out;
    }

    /** ASCII text as it is. */
    JsonText raw(String ascii) {
        int unused = ByteBufUtil.writeAscii(out, ascii);
        return this;
    }

    JsonText raw(byte[] bytes) {
        out.writeBytes(bytes);
        return this;
    }

    JsonText raw(long number) {
        return raw(Long.toString(number));
    }

    JsonText string(String value) {
        return raw("\"").raw(escape(value)).raw("\"");
    }

    /** A comma, unless something has just been opened. */
    JsonText comma() {
        byte last = out.getByte(out.writerIndex() - 1);
        if (last != '{' && last != '[') {
            out.writeByte(',');
        }
        return this;
    }

    JsonText field(String name, String value) {
        return comma().raw("\"").raw(name).raw("\":").string(value);
    }

    JsonText field(String name, long value) {
        return comma().raw("\"").raw(name).raw("\":").raw(value);
    }

    static byte[] utf8(String value) {
        return value.getBytes(StandardCharsets.UTF_8);
    }

    /** What stands between the quotes for the given text. */
    static byte[] escape(String value) {
        StringBuilder escaped = null;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < ' ' || c == '"' || c == '\\') {
                if (escaped == null) {
                    escaped = new StringBuilder(value.length() + 16).append(value, 0, i);
                }
                escaped.append(c < ' ' ? "\\u%04x".formatted((int) c) : "\\" + c);
            } else if (escaped != null) {
                escaped.append(c);
            }
        }
        return utf8(escaped == null ? value : escaped.toString());
    }
}
