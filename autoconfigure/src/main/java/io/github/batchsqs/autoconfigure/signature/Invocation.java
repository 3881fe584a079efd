/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.signature;

import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.SqsMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;

/** One call of a handler method. Makes a Spring message only for arguments that need one; used by one thread. */
final class Invocation {

    private final MessageBatch<Object> batch;
    private final SpringArguments spring;
    private @Nullable Message<Object> springMessage;

    Invocation(MessageBatch<Object> batch, SpringArguments spring) {
        this.batch = batch;
        this.spring = spring;
    }

    MessageBatch<Object> batch() {
        return batch;
    }

    /** The first message, the only one if the method takes one message at a time. */
    SqsMessage<Object> message() {
        return batch.messages().getFirst();
    }

    /** The first message as Spring has it; arguments of one call share it and its headers. */
    Message<Object> springMessage() {
        Message<Object> made = springMessage;
        if (made == null) {
            made = springMessage(message());
            springMessage = made;
        }
        return made;
    }

    /** All messages as Spring has them. */
    List<Message<Object>> springMessages() {
        return batch.messages().stream().map(this::springMessage).toList();
    }

    private Message<Object> springMessage(SqsMessage<Object> message) {
        return new ReceivedSpringMessage(message, spring.envelope());
    }

    /** What {@code @Header} asks for. */
    @Nullable
    Object header(MethodParameter parameter) throws Exception {
        return resolve(spring.header(), parameter);
    }

    /** What {@code @Headers} asks for, or a parameter of a type for headers. */
    @Nullable
    Object headers(MethodParameter parameter) throws Exception {
        return resolve(spring.headers(), parameter);
    }

    private @Nullable Object resolve(HandlerMethodArgumentResolver resolver, MethodParameter parameter)
            throws Exception {
        return resolver.resolveArgument(parameter, springMessage());
    }
}
