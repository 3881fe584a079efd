/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.signature;

import io.github.batchsqs.SnsNotification;
import java.util.Map;
import java.util.function.Consumer;
import org.springframework.core.MethodParameter;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
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
    private final MethodParameter parameter;
    private final Object[] hints;

    /**
     * Creates the validation of one parameter.
     *
     * @param hints the validation groups, none for the default group
     */
    PayloadValidation(Validator validator, MethodParameter parameter, Object[] hints) {
        this.validator = validator;
        this.parameter = parameter;
        this.hints = hints.clone();
    }

    /**
     * Validates one payload.
     *
     * @throws InvalidPayloadException if the payload breaks a rule
     */
    @Override
    public void accept(Object read) {
        Object payload = read instanceof SnsNotification<?> notification ? notification.payload() : read;
        var result = new BeanPropertyBindingResult(payload, ClassUtils.getShortNameAsProperty(payload.getClass()));
        ValidationUtils.invokeValidator(validator, payload, result, hints);
        if (result.hasErrors()) {
            throw new InvalidPayloadException(new Invalid(payload), parameter, result);
        }
    }

    /** Contains the payload for Spring's exception, which prints its message. */
    private record Invalid(Object payload) implements Message<Object> {

        @Override
        public Object getPayload() {
            return payload;
        }

        @Override
        public MessageHeaders getHeaders() {
            return new MessageHeaders(Map.of());
        }

        @Override
        public String toString() {
            return "Message[withheld]";
        }
    }
}
