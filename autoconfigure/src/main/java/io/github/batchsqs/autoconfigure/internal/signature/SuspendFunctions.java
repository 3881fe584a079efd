/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.signature;

import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * Recognizes suspend functions of Kotlin by name, because Kotlin is optional. The compiler gives a suspend function a last
 * parameter, the continuation, whose type argument is the return type of the function.
 */
final class SuspendFunctions {

    private static final String CONTINUATION = "kotlin.coroutines.Continuation";
    private static final String UNIT = "kotlin.Unit";
    private static final String COROUTINES = "kotlinx.coroutines.";

    private SuspendFunctions() {}

    /** Returns whether the method is a suspend function. */
    static boolean isSuspend(Method method) {
        Class<?>[] types = method.getParameterTypes();
        return types.length > 0 && types[types.length - 1].getName().equals(CONTINUATION);
    }

    /** Returns those of the method's parameters, or of their types, that its source has. */
    static <P> P[] declared(Method method, P[] parameters) {
        return isSuspend(method) ? Arrays.copyOf(parameters, parameters.length - 1) : parameters;
    }

    /** Returns the return type that the method's source has. */
    static ResolvableType returnType(Method method, ResolvableType beanType) {
        int last = method.getParameterCount() - 1;
        return isSuspend(method)
                ? ResolvableType.forMethodParameter(new MethodParameter(method, last), beanType)
                        .getGeneric(0)
                : ResolvableType.forMethodParameter(new MethodParameter(method, -1), beanType);
    }

    /** Returns whether the type is Kotlin's {@code Unit}, the return type of functions without a result. */
    static boolean isUnit(Class<?> type) {
        return type.getName().equals(UNIT);
    }

    /** Returns whether the type is one of coroutines: {@code Flow}, {@code Deferred} or {@code Job}, for example. */
    static boolean isOfCoroutines(Class<?> type) {
        return type.getName().startsWith(COROUTINES);
    }

    /**
     * Refuses a suspend function if the library that runs it is missing.
     *
     * @param name the method, as errors name it
     */
    static void requireCoroutines(Method method, String name) {
        if (isSuspend(method) && !ClassUtils.isPresent(COROUTINES + "ThreadContextElement", null)) {
            throw new SetupException(
                    "The method " + name + " cannot be a listener: it is a suspend function of Kotlin, and"
                            + " kotlinx-coroutines is not on the class path.",
                    "Add the dependency io.github.batchsqs:batchsqs-spring-boot-kotlin, or"
                            + " org.jetbrains.kotlinx:kotlinx-coroutines-core. Or remove suspend: invocations run on virtual"
                            + " threads by default, which may block.");
        }
    }
}
