/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.options;

import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanExpressionContext;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.util.ObjectUtils;

/** Resolves <code>${…}</code> and <code>#{…}</code> in annotations. */
final class ExpressionResolver {

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
        Object elements = value instanceof Object[] array ? List.of(array) : value;
        return elements instanceof Collection<?> collection
                ? collection.stream().map(ObjectUtils::getDisplayString).toList()
                : List.of(ObjectUtils.getDisplayString(value));
    }

    private @Nullable Object resolve(String expression, String key) {
        try {
            String text = beans.resolveEmbeddedValue(expression);
            if (text != null && text.contains("${")) { // which a resolver that is not strict leaves in
                throw new IllegalArgumentException("a placeholder has no value");
            }
            var resolver = beans.getBeanExpressionResolver();
            return text == null || resolver == null
                    ? text
                    : resolver.evaluate(text, new BeanExpressionContext(beans, null));
        } catch (RuntimeException failure) {
            throw new SetupException(
                    key + " is " + expression + ", which cannot be evaluated: "
                            + NestedExceptionUtils.getMostSpecificCause(failure).getMessage() + ".",
                    "Correct the expression, define the property, or write a default into the placeholder:"
                            + " ${name:default}.",
                    failure);
        }
    }
}
