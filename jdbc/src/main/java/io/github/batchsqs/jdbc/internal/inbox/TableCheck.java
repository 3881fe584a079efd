/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.inbox;

import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import io.github.batchsqs.jdbc.internal.Database;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.dao.DataIntegrityViolationException;

/**
 * Checks at start that the table does what the inbox needs, also if the application has created it: it writes rows of a queue that does not
 * exist, in a transaction that is rolled back. A table that takes one id for another would delete messages that never ran; one that takes an
 * id twice would run messages twice.
 */
final class TableCheck {

    private static final int QUEUE_LENGTH = 200;

    private final Database database;
    private final InboxTable table;
    private final long claim = ThreadLocalRandom.current().nextLong();

    TableCheck(Database database) {
        this.database = database;
        this.table = new InboxTable(database);
    }

    /** @throws SetupException if the table does not fit, with the remedy */
    void run() {
        database.check(InboxTable.NAME, this::writeRows);
    }

    /** Queues and ids are as long as they can be, and differ in their last character alone; ids in its case. */
    private void writeRows() {
        String queue = padded("q", QUEUE_LENGTH);
        String upper = padded("X", MessageIds.MAX_LENGTH);
        if (table.claim(queue, claim, List.of(upper, padded("x", MessageIds.MAX_LENGTH)), 0, InboxTable.HARDLY)
                        .size()
                != 2) {
            throw refused("takes two ids for one: its collation ignores case, or its column id is too short");
        }
        if (table.claim(padded("r", QUEUE_LENGTH), claim, List.of(upper), 0, InboxTable.HARDLY)
                .isEmpty()) {
            throw refused(
                    "takes the id of one queue for that of another: its column queue is too short, or its primary key"
                            + " lacks it");
        }
        try {
            table.insertOne(queue, upper, claim + 1);
        } catch (DataIntegrityViolationException wanted) {
            return; // the transaction is rolled back anyway
        }
        throw refused("takes an id twice: it has no primary key (queue, id)");
    }

    private String padded(String end, int length) {
        String start = "batchsqs-check-" + HexFormat.of().toHexDigits(claim);
        return start + "-".repeat(length - 1 - start.length()) + end;
    }

    private SetupException refused(String what) {
        return new SetupException(
                "The table " + InboxTable.NAME + " " + what + ".",
                "Create it from " + database.dialect().schema() + ", or alter it to be the same.");
    }
}
