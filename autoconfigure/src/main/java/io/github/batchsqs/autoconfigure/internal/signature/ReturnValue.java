/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.signature;

import io.github.batchsqs.BatchOutcome;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/** The kinds of return values of a handler method, and their conversion to an outcome. */
enum ReturnValue {
    NOTHING {
        @Override
        BatchOutcome outcome(@Nullable Object returned) {
            return BatchOutcome.done();
        }
    },
    OUTCOME {
        @Override
        BatchOutcome outcome(@Nullable Object returned) {
            if (returned == null) {
                throw new IllegalStateException("The listener method returned null instead of a BatchOutcome");
            }
            return (BatchOutcome) returned;
        }
    },
    STAGE_OF_NOTHING {
        @Override
        BatchOutcome outcome(@Nullable Object returned) throws Exception {
            await(returned);
            return NOTHING.outcome(null);
        }
    },
    STAGE_OF_OUTCOME {
        @Override
        BatchOutcome outcome(@Nullable Object returned) throws Exception {
            return OUTCOME.outcome(await(returned));
        }
    };

    /** Returns the outcome. A stage blocks the thread of the invocation until it completes. */
    abstract BatchOutcome outcome(@Nullable Object returned) throws Exception;

    static ReturnValue of(ResolvableType type) {
        Class<?> raw = type.resolve(Object.class);
        if (CompletionStage.class.isAssignableFrom(raw)) {
            Class<?> result = type.as(CompletionStage.class).getGeneric(0).resolve(Object.class);
            if (result == Void.class) {
                return STAGE_OF_NOTHING;
            }
            if (result == BatchOutcome.class) {
                return STAGE_OF_OUTCOME;
            }
        } else if (raw == void.class || raw == Void.class || SuspendFunctions.isUnit(raw)) {
            return NOTHING;
        } else if (raw == BatchOutcome.class) {
            return OUTCOME;
        } else if (SuspendFunctions.isOfCoroutines(raw)) {
            throw new UnsupportedParameterException("is neither collected nor awaited by the listener: do so in the"
                    + " function, declare it suspend, and return Unit or BatchOutcome");
        }
        throw new UnsupportedParameterException("is not supported");
    }

    private static @Nullable Object await(@Nullable Object returned) throws Exception {
        if (returned == null) {
            throw new IllegalStateException("The listener method returned null instead of a CompletionStage");
        }
        try {
            return ((CompletionStage<?>) returned).toCompletableFuture().get();
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof Exception exception) {
                throw exception;
            }
            if (failure.getCause() instanceof Error error) {
                throw error;
            }
            throw failure;
        }
    }
}
