/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.signature;

import io.github.batchsqs.SnsNotification;
import io.github.batchsqs.codec.ConversionException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.util.ClassUtils;
import org.springframework.validation.BeanPropertyBindingResult;
import org.springframework.validation.ValidationUtils;
import org.springframework.validation.Validator;

/**
 * Validates each payload before the batch is created. An invalid payload is therefore handled like an unreadable one,
 * and the handler receives the other messages.
 */
final class PayloadValidation implements Consumer<Object> {

    private final Validator validator;
    private final Object[] hints;

    /** @param hints the validation groups, none for the default group */
    PayloadValidation(Validator validator, Object[] hints) {
        this.validator = validator;
        this.hints = hints.clone();
    }

    /**
     * Validates one payload.
     *
     * @throws ConversionException if the payload breaks a rule; it quotes no value, because bodies may be confidential
     */
    @Override
    public void accept(Object read) {
        Object payload = read instanceof SnsNotification<?> notification ? notification.payload() : read;
        String type = payload.getClass().getName();
        var result = new BeanPropertyBindingResult(payload, ClassUtils.getShortNameAsProperty(payload.getClass()));
        ValidationUtils.invokeValidator(validator, payload, result, hints);
        if (result.hasErrors()) {
            String broken = Stream.concat(
                            result.getFieldErrors().stream()
                                    .map(error -> path(error.getField()) + " " + error.getDefaultMessage()),
                            result.getGlobalErrors().stream().map(error -> "" + error.getDefaultMessage()))
                    .sorted()
                    .collect(Collectors.joining(", "));
            throw new ConversionException("The payload breaks the rules of " + type + ": " + broken, null);
        }
    }

    /** Returns the path with indexes, but without the keys of maps, because the sender chose them. */
    private static String path(String field) {
        return field.replaceAll("\\[(?!\\d+])[^]]*]", "[*]");
    }
}
