/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.options;

import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanExpressionContext;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.util.ObjectUtils;

/** Resolves <code>${…}</code> and <code>#{…}</code> in annotations. */
final class ExpressionResolver {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^:}]+)}");

    private final ConfigurableBeanFactory beans;

    ExpressionResolver(ConfigurableBeanFactory beans) {
        this.beans = beans;
    }

    /** Returns the text of the value, or an empty text if there is no value. */
    String text(String expression, String key) {
        return ObjectUtils.getDisplayString(resolve(expression, key));
    }

    /** Returns the text of the value, or the texts of its elements if it is a collection or an array. */
    List<String> list(String expression, String key) {
        Object value = resolve(expression, key);
        if (value instanceof Collection<?> collection) {
            return collection.stream().map(ObjectUtils::getDisplayString).toList();
        }
        if (value instanceof Object[] array) {
            return List.of(array).stream().map(ObjectUtils::getDisplayString).toList();
        }
        return List.of(ObjectUtils.getDisplayString(value));
    }

    private @Nullable Object resolve(String expression, String key) {
        if (expression.isEmpty()) {
            return expression;
        }
        String text = placeholdersResolved(expression, key);
        var resolver = beans.getBeanExpressionResolver();
        if (text.isEmpty() || resolver == null) {
            return text;
        }
        try {
            return resolver.evaluate(text, new BeanExpressionContext(beans, null));
        } catch (RuntimeException failure) {
            throw new SetupException(
                    key + " has the expression " + expression + ", which cannot be evaluated: " + reason(failure) + ".",
                    "Correct the expression.",
                    failure);
        }
    }

    private String placeholdersResolved(String expression, String key) {
        try {
            String resolved = beans.resolveEmbeddedValue(expression);
            // A bean factory without a strict resolver leaves in what it does not know
            if (resolved != null && PLACEHOLDER.matcher(resolved).find()) {
                throw noValue(expression, resolved, key, null);
            }
            return resolved == null ? "" : resolved;
        } catch (IllegalArgumentException unresolvable) {
            throw noValue(expression, String.valueOf(unresolvable.getMessage()), key, unresolvable);
        }
    }

    private static SetupException noValue(String expression, String detail, String key, @Nullable Throwable cause) {
        Matcher inExpression = PLACEHOLDER.matcher(expression);
        String name = inExpression.find() ? inExpression.group(1) : "it";
        return new SetupException(
                key + " is " + expression + ", but " + (cause == null ? name + " has no value" : detail) + ".",
                "Define the property " + name + ", or write a default into the placeholder: ${" + name + ":default}.",
                cause);
    }

    private static String reason(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }
}
