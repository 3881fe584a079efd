/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.signature;

import io.github.batchsqs.Acknowledgement;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.SnsNotification;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.Visibility;
import io.github.batchsqs.autoconfigure.internal.signature.Argument.Takes;
import io.github.batchsqs.codec.SnsEnvelope;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.support.HeadersMethodArgumentResolver;

/** The parameters that handler methods may have. Their order matters, because the last shape matches everything. */
enum ArgumentShapes implements ArgumentShape {
    ACKNOWLEDGEMENT {
        @Override
        public @Nullable Argument match(MethodParameter parameter, ResolvableType type) {
            return type.resolve() == Acknowledgement.class
                    ? Argument.of(Takes.ACKNOWLEDGEMENT, null, MessageBatch::acknowledgement)
                    : null;
        }
    },
    VISIBILITY {
        @Override
        public @Nullable Argument match(MethodParameter parameter, ResolvableType type) {
            return type.resolve() == Visibility.class
                    ? Argument.of(Takes.VISIBILITY, null, MessageBatch::visibility)
                    : null;
        }
    },
    HEADER {
        @Override
        public @Nullable Argument match(MethodParameter parameter, ResolvableType type) {
            Header header = parameter.getParameterAnnotation(Header.class);
            if (header == null) {
                return null;
            }
            String name = header.name().isEmpty() ? parameter.getParameterName() : header.name();
            if (name == null) {
                throw new UnsupportedParameterException(
                        "does not say which header it is: write @Header(\"name\"), or compile with -parameters");
            }
            return new Argument(invocation -> invocation.header(parameter, name), Takes.DETAIL, null);
        }
    },
    HEADERS {
        @Override
        public @Nullable Argument match(MethodParameter parameter, ResolvableType type) {
            return new HeadersMethodArgumentResolver().supportsParameter(parameter)
                    ? new Argument(invocation -> invocation.headers(parameter), Takes.DETAIL, null)
                    : null;
        }
    },
    SNS_SUBJECT {
        @Override
        public @Nullable Argument match(MethodParameter parameter, ResolvableType type) {
            if (!Annotations.isSnsSubject(parameter)) {
                return null;
            }
            if (type.resolve() != String.class) {
                throw new UnsupportedParameterException("is the subject of a notification, which is a String");
            }
            return new Argument(invocation -> subject(invocation.message().body()), Takes.DETAIL, null);
        }
    },
    SDK_MESSAGE {
        @Override
        public @Nullable Argument match(MethodParameter parameter, ResolvableType type) {
            return type.resolve() == software.amazon.awssdk.services.sqs.model.Message.class
                    ? new Argument(invocation -> invocation.message().nativeMessage(), Takes.SDK_MESSAGE, null)
                    : null;
        }
    },
    LIST_OF_SDK_MESSAGES {
        @Override
        public @Nullable Argument match(MethodParameter parameter, ResolvableType type) {
            return isListOf(software.amazon.awssdk.services.sqs.model.Message.class, type)
                    ? Argument.of(
                            Takes.SDK_BATCH,
                            null,
                            batch -> batch.messages().stream()
                                    .map(SqsMessage::nativeMessage)
                                    .toList())
                    : null;
        }
    },
    MESSAGE_BATCH {
        @Override
        public @Nullable Argument match(MethodParameter parameter, ResolvableType type) {
            return type.resolve() == MessageBatch.class
                    ? Argument.of(Takes.BATCH, Payloads.typeOf(type.getGeneric(0)), batch -> batch)
                    : null;
        }
    },
    LIST_OF_MESSAGES {
        @Override
        public @Nullable Argument match(MethodParameter parameter, ResolvableType type) {
            return isListOf(SqsMessage.class, type)
                    ? Argument.of(
                            Takes.BATCH, Payloads.typeOf(type.getGeneric(0).getGeneric(0)), MessageBatch::messages)
                    : null;
        }
    },
    LIST_OF_SPRING_MESSAGES {
        @Override
        public @Nullable Argument match(MethodParameter parameter, ResolvableType type) {
            return isListOf(Message.class, type)
                    ? new Argument(
                            Invocation::springMessages,
                            Takes.BATCH,
                            Payloads.typeOf(type.getGeneric(0).getGeneric(0)))
                    : null;
        }
    },
    LIST_OF_PAYLOADS {
        @Override
        public @Nullable Argument match(MethodParameter parameter, ResolvableType type) {
            return type.resolve() == List.class
                    ? Argument.of(Takes.BATCH, Payloads.typeOf(type.getGeneric(0)), MessageBatch::payloads)
                    : null;
        }
    },
    MESSAGE {
        @Override
        public @Nullable Argument match(MethodParameter parameter, ResolvableType type) {
            return type.resolve() == SqsMessage.class
                    ? new Argument(Invocation::message, Takes.MESSAGE, Payloads.typeOf(type.getGeneric(0)))
                    : null;
        }
    },
    SPRING_MESSAGE {
        @Override
        public @Nullable Argument match(MethodParameter parameter, ResolvableType type) {
            return type.resolve() == Message.class
                    ? new Argument(Invocation::springMessage, Takes.MESSAGE, Payloads.typeOf(type.getGeneric(0)))
                    : null;
        }
    },
    PAYLOAD {
        @Override
        public Argument match(MethodParameter parameter, ResolvableType type) {
            Payloads.requireNoCollection(type);
            return new Argument(invocation -> invocation.message().payload(), Takes.MESSAGE, Payloads.typeOf(type));
        }
    };

    private static boolean isListOf(Class<?> element, ResolvableType type) {
        return type.resolve() == List.class && type.getGeneric(0).resolve() == element;
    }

    private static @Nullable String subject(String body) {
        SnsNotification<String> notification = SnsEnvelope.open(body);
        return notification == null ? null : notification.subject();
    }

    /** Returns the argument for this parameter. */
    static Argument of(MethodParameter parameter, ResolvableType type) {
        for (ArgumentShape shape : values()) {
            Argument argument = shape.match(parameter, type);
            if (argument != null) {
                if (argument.takes().payload()) {
                    Annotations.requireKnown(parameter);
                } else if (Annotations.isSnsPayload(parameter)) {
                    throw new UnsupportedParameterException("is annotated with @SnsPayload, but takes no payload");
                }
                return argument;
            }
        }
        throw new UnsupportedParameterException("is not supported here");
    }
}
