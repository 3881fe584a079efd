/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.inbox;

import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.autoconfigure.internal.settings.MessageExpression;
import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.internal.support.Hashes;
import java.util.Date;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;

/**
 * Finds the id under which a message is recorded: its message id, or the value of an expression. A value that is not short,
 * printable ASCII is replaced by its digest, so that no collation and no length limit makes two values equal.
 */
final class MessageIds {

    /** Of the column. */
    static final int MAX_LENGTH = 128;

    private static final Pattern PLAIN = Pattern.compile("[!-~]{1," + MAX_LENGTH + "}");
    private static final String DIGEST = "sha256-";

    private final @Nullable MessageExpression expression;

    MessageIds(@Nullable String expression) {
        this.expression = expression == null ? null : new MessageExpression("inbox.key", expression);
    }

    /** Returns whether the id is the message id, and so known without the payload. */
    boolean areMessageIds() {
        return expression == null;
    }

    /** Returns the id of a message; throws whatever the expression throws, or if it finds none. */
    String of(SqsMessage<?> message) {
        if (expression == null) {
            return stored(message.id());
        }
        Object found = expression.valueIn(message);
        if (found instanceof Date || (found != null && !BeanUtils.isSimpleValueType(found.getClass()))) {
            // the text of a Date depends on the time zone of the instance
            throw new BatchSqsException("inbox.key (" + expression + ") finds a "
                    + found.getClass().getName() + " in message " + message.id()
                    + ", whose text need not be the same at the next delivery; name a text, a number or another simple value,"
                    + " such as payload.orderId");
        }
        String key = found == null ? "" : found.toString();
        if (key == null || key.isBlank()) {
            throw new BatchSqsException("inbox.key (" + expression + ") finds no key in message " + message.id()
                    + "; send a key with every message, or remove inbox.key");
        }
        return stored(key);
    }

    static String stored(String id) {
        return PLAIN.matcher(id).matches() && !id.startsWith(DIGEST) ? id : DIGEST + Hashes.sha256(id);
    }
}
