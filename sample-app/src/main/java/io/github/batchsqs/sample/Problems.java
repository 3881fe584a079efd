/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample;

import io.github.batchsqs.errors.BatchSqsException;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.context.MessageSourceResolvable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.validation.FieldError;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import software.amazon.awssdk.core.exception.SdkException;

/** Every error is a problem detail whose {@code detail} says what was wrong, in words that the page can show. */
@RestControllerAdvice
class Problems extends ResponseEntityExceptionHandler {

    @Override
    protected @Nullable ResponseEntity<Object> handleMethodArgumentNotValid(
            MethodArgumentNotValidException invalid, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        invalid.getBody().setDetail(sentence(invalid.getFieldErrors().stream().map(Problems::of)));
        return super.handleMethodArgumentNotValid(invalid, headers, status, request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleHandlerMethodValidationException(
            HandlerMethodValidationException invalid, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        invalid.getBody()
                .setDetail(sentence(invalid.getParameterValidationResults().stream()
                        .flatMap(parameter -> parameter.getResolvableErrors().stream()
                                .map(error -> parameter.getMethodParameter().getParameterName() + " " + of(error)))));
        return super.handleHandlerMethodValidationException(invalid, headers, status, request);
    }

    /** SQS did not take a message, or could not be asked. */
    @ExceptionHandler({BatchSqsException.class, SdkException.class})
    ProblemDetail sqsFailed(RuntimeException failure) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, String.valueOf(failure.getMessage()));
    }

    /** The same, out of a future. */
    @ExceptionHandler
    ProblemDetail sendFailed(CompletionException failure) {
        if (failure.getCause() instanceof BatchSqsException cause) {
            return sqsFailed(cause);
        }
        throw failure;
    }

    private static String of(FieldError error) {
        return error.getField() + " " + error.getDefaultMessage();
    }

    private static String of(MessageSourceResolvable error) {
        return String.valueOf(error.getDefaultMessage());
    }

    private static String sentence(Stream<String> errors) {
        return errors.sorted().collect(Collectors.joining("; "));
    }
}
