/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.signature;

import io.github.batchsqs.Acknowledgement;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.autoconfigure.signature.Argument.Takes;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;

/** The parameters that handler methods may have; the order matters, since the last one takes everything. */
enum ArgumentShapes implements ArgumentShape {
    ACKNOWLEDGEMENT {
        @Override
        public @Nullable Argument match(MethodParameter parameter, ResolvableType type) {
            return type.resolve() == Acknowledgement.class
                    ? new Argument(MessageBatch::acknowledgement, Takes.CONTEXT, null)
                    : null;
        }
    },
    MESSAGE_BATCH {
        @Override
        public @Nullable Argument match(MethodParameter parameter, ResolvableType type) {
            return type.resolve() == MessageBatch.class
                    ? new Argument(batch -> batch, Takes.BATCH, Payloads.typeOf(type.getGeneric(0)))
                    : null;
        }
    },
    LIST_OF_MESSAGES {
        @Override
        public @Nullable Argument match(MethodParameter parameter, ResolvableType type) {
            ResolvableType element = type.getGeneric(0);
            return type.resolve() == List.class && element.resolve() == SqsMessage.class
                    ? new Argument(MessageBatch::messages, Takes.BATCH, Payloads.typeOf(element.getGeneric(0)))
                    : null;
        }
    },
    LIST_OF_PAYLOADS {
        @Override
        public @Nullable Argument match(MethodParameter parameter, ResolvableType type) {
            return type.resolve() == List.class
                    ? new Argument(MessageBatch::payloads, Takes.BATCH, Payloads.typeOf(type.getGeneric(0)))
                    : null;
        }
    },
    MESSAGE {
        @Override
        public @Nullable Argument match(MethodParameter parameter, ResolvableType type) {
            return type.resolve() == SqsMessage.class
                    ? new Argument(
                            batch -> batch.messages().getFirst(), Takes.MESSAGE, Payloads.typeOf(type.getGeneric(0)))
                    : null;
        }
    },
    PAYLOAD {
        @Override
        public Argument match(MethodParameter parameter, ResolvableType type) {
            for (var annotation : parameter.getParameterAnnotations()) {
                String name = annotation.annotationType().getName();
                if (name.startsWith("org.springframework.messaging.") || name.startsWith("io.awspring.")) {
                    throw new UnsupportedParameterException("is annotated with @"
                            + annotation.annotationType().getSimpleName() + ", which is not supported here");
                }
            }
            Payloads.requireNoCollection(type);
            return new Argument(batch -> batch.messages().getFirst().payload(), Takes.MESSAGE, Payloads.typeOf(type));
        }
    };

    /** The argument for this parameter. */
    static Argument of(MethodParameter parameter, ResolvableType type) {
        for (ArgumentShape shape : values()) {
            Argument argument = shape.match(parameter, type);
            if (argument != null) {
                return argument;
            }
        }
        throw new UnsupportedParameterException("is not supported here");
    }
}
