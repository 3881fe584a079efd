/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.signature;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.core.MethodParameter;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.support.MethodArgumentNotValidException;
import org.springframework.validation.BindingResult;

/**
 * Replaces the message of Spring's exception for an invalid payload. Spring's message quotes the values, and bodies may
 * be confidential. The binding result still contains them.
 */
final class InvalidPayloadException extends MethodArgumentNotValidException {

    private static final long serialVersionUID = 1L;

    private final String text;

    InvalidPayloadException(Message<?> message, MethodParameter parameter, BindingResult result) {
        super(message, parameter, result);
        this.text = "The payload breaks the rules of "
                + message.getPayload().getClass().getName() + ": "
                + Stream.concat(
                                result.getFieldErrors().stream()
                                        .map(error -> path(error.getField()) + " " + error.getDefaultMessage()),
                                result.getGlobalErrors().stream().map(error -> "" + error.getDefaultMessage()))
                        .sorted()
                        .collect(Collectors.joining(", "));
    }

    /** Returns the path with indexes, but without the keys of maps, because the sender chose them. */
    private static String path(String field) {
        return field.replaceAll("\\[(?!\\d+])[^]]*]", "[*]");
    }

    @Override
    public String getMessage() {
        return text;
    }

    @Override
    public String toString() {
        return getClass().getName() + ": " + text;
    }
}
