/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.settings;

import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.errors.InvalidOptionException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.DataBindingPropertyAccessor;
import org.springframework.expression.spel.support.MapAccessor;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/**
 * The expression of a setting that finds a value in a received message: in its {@code payload}, {@code messageId}, {@code groupId},
 * {@code queue} or {@code attributes}. It can read properties and call methods of these, but name no types and no beans. Safe for use
 * by any thread.
 */
public final class MessageExpression {

    private final Expression expression;
    private final EvaluationContext context = SimpleEvaluationContext.forPropertyAccessors(
                    new MapAccessor(), DataBindingPropertyAccessor.forReadOnlyAccess())
            .withInstanceMethods()
            .build();

    /**
     * Reads an expression.
     *
     * @param key the key of the setting
     * @throws InvalidOptionException if it cannot be read
     */
    public MessageExpression(String key, String expression) {
        try {
            this.expression = new SpelExpressionParser().parseExpression(expression);
        } catch (ParseException wrong) {
            var invalid = new InvalidOptionException(
                    key,
                    "must be a Spring expression over a message (payload, messageId, groupId, queue, attributes); this one"
                            + " cannot be read: " + wrong.getMessage(),
                    expression,
                    "write one such as payload.orderId");
            invalid.initCause(wrong);
            throw invalid;
        }
    }

    /** Returns what it finds in a message, or {@code null} if that is nothing; throws whatever the expression throws. */
    public @Nullable Object valueIn(SqsMessage<?> message) {
        return expression.getValue(context, new Root(message));
    }

    /** Returns the expression. */
    @Override
    public String toString() {
        return expression.getExpressionString();
    }

    /** The root object of the expressions. */
    record Root(SqsMessage<?> message) {

        public @Nullable Object payload() {
            return message.payload();
        }

        public String messageId() {
            return message.id();
        }

        public String queue() {
            return message.queue();
        }

        public @Nullable String groupId() {
            return message.groupId();
        }

        /** The textual attributes by name. */
        public Map<String, String> attributes() {
            Map<String, String> texts = new HashMap<>();
            message.attributes().forEach((name, attribute) -> {
                if (!attribute.isBinary()) {
                    texts.put(name, attribute.stringValue());
                }
            });
            return texts;
        }
    }
}
