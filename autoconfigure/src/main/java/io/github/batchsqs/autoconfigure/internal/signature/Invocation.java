/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.signature;

import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.codec.ConversionException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.messaging.Message;

/** One call of a handler method. Creates Spring messages only for arguments that need them. Used by one thread. */
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

    /** Returns the first message, which is the only one if the method takes one message at a time. */
    SqsMessage<Object> message() {
        return batch.messages().getFirst();
    }

    /** Returns the first message as a Spring message. The arguments of one call share it and its headers. */
    Message<Object> springMessage() {
        Message<Object> made = springMessage;
        if (made == null) {
            made = springMessage(message());
            springMessage = made;
        }
        return made;
    }

    /** Returns all messages as Spring messages. */
    List<Message<Object>> springMessages() {
        return batch.messages().stream().map(this::springMessage).toList();
    }

    /** Returns all messages as those of the SDK. */
    List<Object> nativeMessages() {
        return batch.messages().stream().<Object>map(SqsMessage::nativeMessage).toList();
    }

    private Message<Object> springMessage(SqsMessage<Object> message) {
        return new ReceivedSpringMessage(message, spring.envelope());
    }

    /**
     * Returns the argument for {@code @Header}.
     *
     * @throws ConversionException if the header exists, but cannot be converted
     */
    @Nullable
    Object header(MethodParameter parameter, String name) throws Exception {
        try {
            return spring.header().resolveArgument(parameter, springMessage());
        } catch (org.springframework.core.convert.ConversionException quotesTheValue) {
            String type = parameter.getParameterType().getTypeName();
            throw new ConversionException("The header " + name + " cannot be read as " + type, quotesTheValue);
        }
    }
}
