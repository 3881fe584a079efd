/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.signature;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.autoconfigure.diagnostics.SetupException;
import io.github.batchsqs.autoconfigure.signature.Argument.Takes;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;

/**
 * The signature of a handler method, understood once at start.
 *
 * <p>Each parameter is of one {@link ArgumentShape}; exactly one of them asks for messages.
 */
public final class Signature {

    private static final String ALLOWED = """
            Give it one of these parameters, and an Acknowledgement beside it if wanted:

                List<T>, List<SqsMessage<T>>, MessageBatch<T>    (a batch)
                T, SqsMessage<T>                                 (one message at a time)

            where T is the payload type: String, byte[], or a type that Jackson reads. Let it return void, BatchOutcome, \
            CompletionStage<Void> or CompletionStage<BatchOutcome>, and be neither private nor static.""";

    private final Method method;
    private final List<Argument> arguments;
    private final Argument messages;
    private final Answer answer;

    private Signature(Method method, List<Argument> arguments, Argument messages, Answer answer) {
        this.method = method;
        this.arguments = arguments;
        this.messages = messages;
        this.answer = answer;
    }

    /**
     * Reads the signature.
     *
     * @param method the method as it is declared
     * @param beanClass the class of the bean behind any proxy; resolves type variables
     * @throws SetupException if it is not one of those allowed; the message lists them
     */
    public static Signature of(Method method, Class<?> beanClass) {
        if (Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers())) {
            throw refused(method, beanClass, "it is private or static");
        }
        var arguments = new ArrayList<Argument>();
        for (int i = 0; i < method.getParameterCount(); i++) {
            arguments.add(argument(method, beanClass, i));
        }
        var asking = arguments.stream()
                .filter(argument -> argument.takes() != Takes.CONTEXT)
                .toList();
        if (asking.size() != 1 || arguments.size() - asking.size() > 1) {
            throw refused(method, beanClass, count(asking.size()));
        }
        return new Signature(method, List.copyOf(arguments), asking.getFirst(), answer(method, beanClass));
    }

    private static String count(int asking) {
        return switch (asking) {
            case 0 -> "none of its parameters takes messages";
            case 1 -> "it has more than one Acknowledgement";
            default -> asking + " of its parameters take messages, and one must";
        };
    }

    private static Argument argument(Method method, Class<?> beanClass, int index) {
        var parameter = new MethodParameter(method, index);
        var type = ResolvableType.forMethodParameter(method, index, beanClass);
        try {
            return ArgumentShapes.of(parameter, type);
        } catch (UnsupportedParameterException why) {
            throw refused(method, beanClass, "parameter " + (index + 1) + ", " + type + ", " + why.getMessage());
        }
    }

    private static Answer answer(Method method, Class<?> beanClass) {
        var type = ResolvableType.forMethodReturnType(method, beanClass);
        try {
            return Answer.of(type);
        } catch (UnsupportedParameterException why) {
            throw refused(method, beanClass, "its return type, " + type + ", " + why.getMessage());
        }
    }

    private static SetupException refused(Method method, Class<?> beanClass, String why) {
        String parameters = Arrays.stream(method.getGenericParameterTypes())
                .map(Type::getTypeName)
                .collect(Collectors.joining(", "));
        return new SetupException(
                "The method %s.%s(%s) cannot be a listener: %s."
                        .formatted(beanClass.getName(), method.getName(), parameters, why),
                ALLOWED);
    }

    /** The type to read bodies as. */
    public Type payloadType() {
        return Objects.requireNonNull(messages.payload());
    }

    /** Whether the method takes one message at a time, so that its batches must be of one. */
    public boolean single() {
        return messages.takes() == Takes.MESSAGE;
    }

    /**
     * A listener that calls the method on this bean.
     *
     * @param bean the bean, a proxy or not
     * @throws SetupException if the bean's proxy does not have the method
     */
    public BatchListener<Object> listener(Object bean) {
        return new MethodListener(bean, invocable(bean), arguments, answer);
    }

    private Method invocable(Object bean) {
        if (AopUtils.isCglibProxy(bean) && Modifier.isFinal(method.getModifiers())) {
            throw new SetupException(
                    "The listener method " + method + " is final, so the proxy around its bean cannot pass calls on.",
                    "Make it non-final.");
        }
        try {
            Method invocable = AopUtils.selectInvocableMethod(method, bean.getClass());
            invocable.setAccessible(true);
            return invocable;
        } catch (IllegalStateException notOnTheProxy) {
            throw new SetupException(
                    "The listener method " + method + " is not reachable through the proxy around its bean.",
                    "Declare it in an interface of the bean, or let the bean be proxied by class"
                            + " (spring.aop.proxy-target-class=true).",
                    notOnTheProxy);
        }
    }
}
