/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import io.github.batchsqs.reliability.Ledger.Event;
import io.github.batchsqs.reliability.Ledger.Kind;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads a ledger while others write it. For one thread. */
final class LedgerTail {

    private final Path file;
    private final List<Event> events = new ArrayList<>();
    private final Map<Kind, Set<String>> keys = new EnumMap<>(Kind.class);
    private long position;

    LedgerTail(Path file) {
        this.file = file;
    }

    /** Reads the lines that were written since. */
    LedgerTail read() {
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            byte[] bytes = new byte[Math.toIntExact(in.length() - position)];
            in.seek(position);
            in.readFully(bytes);
            int whole = lastNewline(bytes) + 1;
            position += whole;
            new String(bytes, 0, whole, StandardCharsets.US_ASCII).lines().forEach(this::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    private void add(String line) {
        Event event = Event.parse(line);
        events.add(event);
        keys.computeIfAbsent(event.kind(), kind -> new HashSet<>()).add(event.key());
    }

    /** The keys of which there is such an event. */
    Set<String> keys(Kind kind) {
        return keys.getOrDefault(kind, Set.of());
    }

    /** All events so far, in order. */
    List<Event> events() {
        return Collections.unmodifiableList(events);
    }

    private static int lastNewline(byte[] bytes) {
        for (int i = bytes.length - 1; i >= 0; i--) {
            if (bytes[i] == '\n') {
                return i;
            }
        }
        return -1;
    }
}
