/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.signature;

import io.github.batchsqs.BatchOutcome;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/**
 * What a handler method returns, and its conversion to an outcome.
 *
 * @param stage whether it returns a stage of its result
 * @param outcome whether its result is an outcome rather than nothing
 */
record ReturnValue(boolean stage, boolean outcome) {

    static ReturnValue of(ResolvableType type) {
        Class<?> raw = type.resolve(Object.class);
        if (SuspendFunctions.isOfCoroutines(raw)) {
            throw new UnsupportedParameterException("is neither collected nor awaited by the listener: do so in the"
                    + " function, declare it suspend, and return Unit or BatchOutcome");
        }
        boolean stage = CompletionStage.class.isAssignableFrom(raw);
        Class<?> result = stage ? type.as(CompletionStage.class).getGeneric(0).resolve(Object.class) : raw;
        boolean nothing = result == Void.class || (!stage && (result == void.class || SuspendFunctions.isUnit(result)));
        if (!nothing && result != BatchOutcome.class) {
            throw new UnsupportedParameterException("is not supported");
        }
        return new ReturnValue(stage, !nothing);
    }

    /** Returns the outcome. A stage blocks the thread of the invocation until it completes. */
    BatchOutcome of(@Nullable Object returned) throws Exception {
        Object result = stage ? await(returned) : returned;
        if (!outcome) {
            return BatchOutcome.done();
        }
        if (result == null) {
            throw new IllegalStateException("The listener method returned null instead of a BatchOutcome");
        }
        return (BatchOutcome) result;
    }

    private static @Nullable Object await(@Nullable Object returned) throws Exception {
        if (returned == null) {
            throw new IllegalStateException("The listener method returned null instead of a CompletionStage");
        }
        try {
            return ((CompletionStage<?>) returned).toCompletableFuture().get();
        } catch (ExecutionException failure) {
            throw MethodListener.cause(failure);
        }
    }
}
