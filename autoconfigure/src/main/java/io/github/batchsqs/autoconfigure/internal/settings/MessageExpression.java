/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.settings;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.send.OutgoingMessage;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.DataBindingPropertyAccessor;
import org.springframework.expression.spel.support.MapAccessor;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/**
 * The expression of a setting that finds a value in a message: in its {@code payload}, {@code groupId}, {@code queue} or {@code
 * attributes}, and in the {@code messageId} of one that was received. It can read properties and call methods of these, but name no
 * types and no beans. Safe for use by any thread.
 *
 * @param <M> the type of the messages
 */
public final class MessageExpression<M> {

    private final Expression expression;
    private final Function<M, Object> root;
    private final EvaluationContext context = SimpleEvaluationContext.forPropertyAccessors(
                    new MapAccessor(), DataBindingPropertyAccessor.forReadOnlyAccess())
            .withInstanceMethods()
            .build();

    private MessageExpression(Expression expression, Function<M, Object> root) {
        this.expression = expression;
        this.root = root;
    }

    /**
     * Reads an expression over messages that are sent.
     *
     * @param key the key of the setting
     * @throws InvalidOptionException if it cannot be read
     */
    public static MessageExpression<OutgoingMessage> ofSent(String key, String expression) {
        return new MessageExpression<>(read(key, expression, "payload, groupId, queue, attributes"), SentRoot::new);
    }

    /**
     * Reads an expression over messages that were received.
     *
     * @param key the key of the setting
     * @throws InvalidOptionException if it cannot be read
     */
    public static MessageExpression<SqsMessage<?>> ofReceived(String key, String expression) {
        String names = "payload, messageId, groupId, queue, attributes";
        return new MessageExpression<>(read(key, expression, names), ReceivedRoot::new);
    }

    private static Expression read(String key, String expression, String names) {
        try {
            return new SpelExpressionParser().parseExpression(expression);
        } catch (ParseException wrong) {
            var invalid = new InvalidOptionException(
                    key,
                    "must be a Spring expression over a message (" + names + "); this one cannot be read: "
                            + wrong.getMessage(),
                    expression,
                    "write one such as payload.orderId");
            invalid.initCause(wrong);
            throw invalid;
        }
    }

    /** Returns what it finds in a message, or {@code null} if that is nothing; throws whatever the expression throws. */
    public @Nullable Object valueIn(M message) {
        return expression.getValue(context, root.apply(message));
    }

    /** Returns the expression. */
    @Override
    public String toString() {
        return expression.getExpressionString();
    }

    private static Map<String, String> texts(Map<String, MessageAttribute> attributes) {
        Map<String, String> texts = new HashMap<>();
        attributes.forEach((name, attribute) -> {
            if (!attribute.isBinary()) {
                texts.put(name, attribute.stringValue());
            }
        });
        return texts;
    }

    /** The root object of the expressions over messages that are sent. */
    record SentRoot(OutgoingMessage message) {

        public Object payload() {
            return message.payload();
        }

        public String queue() {
            return message.queue();
        }

        public @Nullable String groupId() {
            return message.groupId();
        }

        /** The textual attributes by name. */
        public Map<String, String> attributes() {
            return texts(message.attributes());
        }
    }

    /** The root object of the expressions over messages that were received. */
    record ReceivedRoot(SqsMessage<?> message) {

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
            return texts(message.attributes());
        }
    }
}
