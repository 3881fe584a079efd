/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.signature;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import io.github.batchsqs.autoconfigure.internal.signature.Argument.Takes;
import io.github.batchsqs.internal.codec.PayloadReader;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.MethodParameter;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedMethod;
import org.springframework.util.ClassUtils;
import org.springframework.validation.Validator;

/**
 * The signature of a handler method, analysed once at start.
 *
 * <p>Each parameter makes one {@link Argument}. One of them determines the payload type, unless the method takes
 * only the SDK's messages.
 */
public final class Signature {

    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    private static final String ALLOWED = """
        Give it one of these parameters, where T is the payload type:
            List<T>, List<SqsMessage<T>>, MessageBatch<T>, List<Message<T>> of Spring    (a batch)
            T, SqsMessage<T>, Message<T> of Spring                                       (one message at a time)
        or the messages of the SDK. Beside it, it may take an Acknowledgement and a Visibility, and with one message at a \
        time @Header, @Headers, MessageHeaders and @SnsSubject. Let it return void, BatchOutcome or a CompletionStage of \
        Void or BatchOutcome; a suspend function of Kotlin returns Unit or BatchOutcome.\
        """;

    private final Method method;
    private final List<Argument> arguments;
    private final ReturnValue returnValue;
    private final @Nullable MethodParameter parameter;
    private final Type payloadType;

    /**
     * Creates the signature.
     *
     * @param place the index of the argument that has the payloads, or -1 if none has
     */
    private Signature(
            Method method, MethodParameter[] parameters, List<Argument> arguments, int place, ReturnValue returnValue) {
        this.method = method;
        this.arguments = arguments;
        this.returnValue = returnValue;
        this.parameter = place < 0 ? null : parameters[place];
        this.payloadType = place < 0
                ? String.class
                : Objects.requireNonNull(arguments.get(place).payload());
    }

    /**
     * Reads the signature.
     *
     * @param method the method as it is declared
     * @param beanType the type of the bean behind any proxy, with its type arguments; resolves type variables
     * @throws SetupException if it is not one of those allowed; the message lists them
     */
    public static Signature of(Method method, ResolvableType beanType) {
        Class<?> beanClass = beanType.toClass();
        if (Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers())) {
            throw refused(method, beanClass, "it is private or static");
        }
        SuspendFunctions.requireCoroutines(method, beanClass.getName() + "." + method.getName());
        MethodParameter[] parameters =
                SuspendFunctions.declared(method, new AnnotatedMethod(method).getMethodParameters());
        var arguments = new ArrayList<Argument>();
        for (MethodParameter parameter : parameters) {
            parameter.initParameterNameDiscovery(NAMES);
            arguments.add(argument(method, beanType, parameter));
        }
        String why = wrong(arguments, parameters);
        if (why != null) {
            throw refused(method, beanClass, why);
        }
        int place = place(arguments, Argument::hasPayload);
        return new Signature(method, parameters, List.copyOf(arguments), place, returnValue(method, beanType));
    }

    /** Returns the error in the combination of the arguments, or {@code null}. */
    private static @Nullable String wrong(List<Argument> arguments, MethodParameter[] parameters) {
        long payloads = count(arguments, Argument::hasPayload);
        if (payloads > 1) {
            return severalPayloads(arguments, parameters);
        }
        int batch = place(arguments, argument -> argument.takes() == Takes.BATCH);
        int single = place(arguments, Argument::single);
        if (batch >= 0 && single >= 0) {
            return "parameter " + (single + 1) + " is about one message, and parameter " + (batch + 1)
                    + " takes a batch: take one message, or a List of SqsMessage, which have attributes";
        }
        if (batch < 0 && count(arguments, argument -> argument.takes() == Takes.MESSAGE) == 0) {
            return "none of its parameters takes messages";
        }
        return count(arguments, Signature::isAcknowledgement) > 1 ? "it has more than one Acknowledgement" : null;
    }

    private static String severalPayloads(List<Argument> arguments, MethodParameter[] parameters) {
        List<String> found = Stream.of(parameters)
                .filter(parameter ->
                        arguments.get(parameter.getParameterIndex()).hasPayload())
                .map(Signature::describe)
                .toList();
        return found.size() + " of its parameters take messages, but only one may: " + String.join(", ", found)
                + ". Annotate a message attribute with @Header, or take SqsMessage, whose attributes() contain it";
    }

    private static String describe(MethodParameter parameter) {
        String name = parameter.getParameterName();
        return "parameter " + (parameter.getParameterIndex() + 1) + " ("
                + parameter.getParameterType().getSimpleName() + (name == null ? "" : " " + name) + ")";
    }

    private static boolean isAcknowledgement(Argument argument) {
        return argument.takes() == Takes.ACKNOWLEDGEMENT;
    }

    private static long count(List<Argument> arguments, Predicate<Argument> kind) {
        return arguments.stream().filter(kind).count();
    }

    private static int place(List<Argument> arguments, Predicate<Argument> kind) {
        for (int place = 0; place < arguments.size(); place++) {
            if (kind.test(arguments.get(place))) {
                return place;
            }
        }
        return -1;
    }

    private static Argument argument(Method method, ResolvableType beanType, MethodParameter parameter) {
        int index = parameter.getParameterIndex();
        var type = ResolvableType.forMethodParameter(new MethodParameter(method, index), beanType);
        try {
            return Argument.of(parameter, type);
        } catch (UnsupportedParameterException why) {
            throw refused(
                    method, beanType.toClass(), "parameter " + (index + 1) + ", " + type + ", " + why.getMessage());
        }
    }

    private static ReturnValue returnValue(Method method, ResolvableType beanType) {
        ResolvableType type = SuspendFunctions.returnType(method, beanType);
        try {
            return ReturnValue.of(type);
        } catch (UnsupportedParameterException why) {
            throw refused(method, beanType.toClass(), "its return type, " + type + ", " + why.getMessage());
        }
    }

    private static SetupException refused(Method method, Class<?> beanClass, String why) {
        String parameters = Stream.of(SuspendFunctions.declared(method, method.getGenericParameterTypes()))
                .map(Type::getTypeName)
                .collect(Collectors.joining(", "));
        return new SetupException(
                "The method %s.%s(%s) cannot be a listener: %s."
                        .formatted(beanClass.getName(), method.getName(), parameters, why),
                ALLOWED);
    }

    /** Returns whether a parameter takes payloads; otherwise the method takes only the SDK's messages. */
    public boolean takesPayloads() {
        return parameter != null;
    }

    /** Returns the type to which bodies are converted. */
    public Type payloadType() {
        return payloadType;
    }

    /** Returns the class of the published payload; for a primitive type, its wrapper. */
    public Class<?> payloadClass() {
        return ClassUtils.resolvePrimitiveIfNecessary(
                ResolvableType.forType(PayloadReader.published(payloadType)).toClass());
    }

    /** Returns whether the method takes the payloads within their SNS notifications. */
    public boolean takesNotifications() {
        return !PayloadReader.published(payloadType).equals(payloadType);
    }

    /** Returns whether the payloads are messages of SNS notifications, regardless of the settings. */
    public boolean sns() {
        return (parameter != null && Annotations.isSnsPayload(parameter)) || takesNotifications();
    }

    /**
     * Returns the validation that the annotations of the payload parameter require.
     *
     * @param validator provides the validator, or {@code null} if there is none
     * @return the validation, which throws if a payload is invalid; it does nothing if no annotation requires one
     * @throws SetupException if an annotation requires validation and there is no validator
     */
    public Consumer<Object> validation(Supplier<@Nullable Validator> validator) {
        Object[] hints = parameter == null ? null : Annotations.validationHints(parameter);
        if (hints == null) {
            return payload -> {};
        }
        Validator found = validator.get();
        if (found == null) {
            throw new SetupException(
                    "The listener method " + method + " asks for valid payloads (@Valid or @Validated), but there is no"
                            + " Validator bean.",
                    "Add the dependency org.springframework.boot:spring-boot-starter-validation, define a bean of type"
                            + " org.springframework.validation.Validator, or remove the annotation.");
        }
        return new PayloadValidation(found, hints);
    }

    /** Returns whether the method takes one message, so that its batches must have one message. */
    public boolean single() {
        return count(arguments, Argument::single) > 0;
    }

    /** Returns whether the method has done its work when it returns: it neither returns a stage nor is a suspend function. */
    public boolean runsOnThreadOfInvocation() {
        return !returnValue.stage() && !SuspendFunctions.isSuspend(method);
    }

    /** Returns whether the method has a parameter for the manual acknowledgement alone. */
    public boolean takesAcknowledgement() {
        return count(arguments, Signature::isAcknowledgement) > 0;
    }

    /** Returns whether the method receives the manual acknowledgement, alone or as a part of the batch. */
    public boolean acknowledges() {
        return takesAcknowledgement() || (parameter != null && parameter.getParameterType() == MessageBatch.class);
    }

    /** {@return the method in errors: {@code com.acme.Orders.handle}} */
    @Override
    public String toString() {
        return method.getDeclaringClass().getName() + "." + method.getName();
    }

    BatchListener<Object> listener(Object bean, SpringArguments spring) {
        return new MethodListener(bean, invocable(bean), arguments, returnValue, spring);
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
