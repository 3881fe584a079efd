/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.sender;

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
 * A business key that an expression finds in a message: in its {@code payload}, {@code groupId}, {@code queue} or
 * {@code attributes}. It can read properties and call methods of these, but name no types and no beans.
 */
final class ExpressionKey implements Function<OutgoingMessage, @Nullable String> {

    private final Expression expression;
    private final EvaluationContext context = SimpleEvaluationContext.forPropertyAccessors(
                    new MapAccessor(), DataBindingPropertyAccessor.forReadOnlyAccess())
            .withInstanceMethods()
            .build();

    ExpressionKey(String key, String expression) {
        try {
            this.expression = new SpelExpressionParser().parseExpression(expression);
        } catch (ParseException wrong) {
            var invalid = new InvalidOptionException(
                    key,
                    "must be a Spring expression over a message (payload, groupId, queue, attributes); this one cannot"
                            + " be read: " + wrong.getMessage(),
                    expression,
                    "write one such as payload.id");
            invalid.initCause(wrong);
            throw invalid;
        }
    }

    @Override
    public @Nullable String apply(OutgoingMessage message) {
        Object found = expression.getValue(context, new Root(message));
        return found == null ? null : found.toString();
    }

    /** The root object of the expressions. */
    record Root(OutgoingMessage message) {

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
            Map<String, String> found = new HashMap<>();
            message.attributes().forEach((name, attribute) -> {
                if (!attribute.isBinary()) {
                    found.put(name, attribute.stringValue());
                }
            });
            return found;
        }
    }
}
