/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.signature;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Calls the handler method: one reflective call per batch, none per message. A suspend function runs until it has ended. */
final class MethodListener implements BatchListener<Object> {

    private final Object bean;
    private final Method method;
    private final Argument[] arguments;
    private final ReturnValue returnValue;
    private final SpringArguments spring;
    private final boolean suspend;

    MethodListener(
            Object bean, Method method, List<Argument> arguments, ReturnValue returnValue, SpringArguments spring) {
        this.bean = bean;
        this.method = method;
        this.arguments = arguments.toArray(Argument[]::new);
        this.returnValue = returnValue;
        this.spring = spring;
        this.suspend = SuspendFunctions.isSuspend(method);
    }

    @Override
    public BatchOutcome onBatch(MessageBatch<Object> batch) throws Exception {
        var invocation = new Invocation(batch, spring);
        var values = new @Nullable Object[arguments.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = arguments[i].value().of(invocation);
        }
        return returnValue.of(suspend ? Coroutines.run(last -> invoke(append(values, last))) : invoke(values));
    }

    private static @Nullable Object[] append(@Nullable Object[] values, Object last) {
        @Nullable Object[] all = Arrays.copyOf(values, values.length + 1);
        all[values.length] = last;
        return all;
    }

    private @Nullable Object invoke(@Nullable Object[] values) throws Exception {
        try {
            return method.invoke(bean, values);
        } catch (InvocationTargetException thrown) {
            throw cause(thrown);
        }
    }

    /** Returns the exception of the method itself, because the failure policy uses its class. */
    static Exception cause(Exception wrapper) {
        if (wrapper.getCause() instanceof Error error) {
            throw error;
        }
        return wrapper.getCause() instanceof Exception exception ? exception : wrapper;
    }

    @Override
    public String toString() {
        return "listener method " + method;
    }
}
