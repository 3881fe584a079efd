/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * What a process writes down of what it has seen happen: one line per event at the end of a file that it shares with
 * others.
 *
 * <p>A line is one write to a file opened for appending, so it is there whole, in the true order, however the process ends:
 * the operating system has it. It would not outlive a loss of power, and need not. Safe for use by any thread; a plain
 * stream, because an interrupt closes a channel.
 */
final class Ledger {

    /** What happened. */
    enum Kind {
        /** SQS accepted a message; the id is SQS's. */
        SENT,
        /** The handler was given a message. */
        RUN,
        /** SQS accepted a message's deletion. */
        DELETED
    }

    /**
     * A line.
     *
     * @param process who wrote it
     * @param key the message's body, {@code lane:index}
     * @param id SQS's id of the message
     */
    record Event(Kind kind, long process, String key, String id) {

        String lane() {
            return key.substring(0, key.indexOf(':'));
        }

        int index() {
            return Integer.parseInt(key.substring(key.indexOf(':') + 1));
        }

        String line() {
            return kind + " " + process + " " + key + " " + id + "\n";
        }

        static Event parse(String line) {
            String[] parts = line.split(" ", -1);
            return new Event(Kind.valueOf(parts[0]), Long.parseLong(parts[1]), parts[2], parts[3]);
        }
    }

    private final OutputStream out;

    private Ledger(OutputStream out) {
        this.out = out;
    }

    /** Opens it for this process; it stays open until the process ends. */
    static Ledger open(Path file) throws IOException {
        return new Ledger(new FileOutputStream(file.toFile(), true));
    }

    void write(Kind kind, String key, String id) {
        Event event = new Event(kind, ProcessHandle.current().pid(), key, id);
        try {
            out.write(event.line().getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
