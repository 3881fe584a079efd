/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.signature;

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
 * Tests each payload before a batch is made of them, so that an invalid one goes the way of those that cannot be read and
 * its neighbours reach the handler.
 */
final class PayloadValidation implements Consumer<Object> {

    private final Validator validator;
    private final MethodParameter parameter;
    private final Object[] hints;

    /** @param hints the validation groups, none for the default one */
    PayloadValidation(Validator validator, MethodParameter parameter, Object[] hints) {
        this.validator = validator;
        this.parameter = parameter;
        this.hints = hints.clone();
    }

    /** @throws InvalidPayloadException if the payload breaks a rule */
    @Override
    public void accept(Object read) {
        Object payload = read instanceof SnsNotification<?> notification ? notification.payload() : read;
        var result = new BeanPropertyBindingResult(payload, ClassUtils.getShortNameAsProperty(payload.getClass()));
        ValidationUtils.invokeValidator(validator, payload, result, hints);
        if (result.hasErrors()) {
            throw new InvalidPayloadException(new Invalid(payload), parameter, result);
        }
    }

    /** The payload for Spring's exception, which prints the message that it has. */
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
