/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.signature;

import kotlin.coroutines.CoroutineContext;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlinx.coroutines.BuildersKt;
import org.jspecify.annotations.Nullable;
import org.springframework.core.PropagationContextElement;
import org.springframework.util.ClassUtils;

/**
 * Runs a suspend function on the thread of its invocation, which waits until the function and all coroutines in its scope
 * have ended. Code that chooses no other dispatcher runs on this thread, also after a suspension, and may block there.
 */
final class Coroutines {

    private static final String PROPAGATION = "io.micrometer.context.ContextSnapshotFactory";

    private Coroutines() {}

    /** A suspend function with all its arguments but the last. */
    @FunctionalInterface
    interface SuspendFunction {

        /**
         * Starts the function.
         *
         * @param continuation the last argument, which receives the result of a function that is suspended
         * @return the result, or the mark of a function that is suspended
         */
        @Nullable
        Object start(Object continuation) throws Exception;
    }

    /**
     * Runs the function and returns its result. An interrupt cancels its coroutine, which may still run its {@code finally}
     * blocks; like a blocking handler it may ignore that.
     *
     * @throws InterruptedException if the coroutine ended because the thread was interrupted
     * @throws Exception the exception that the function threw
     */
    static @Nullable Object run(SuspendFunction function) throws Exception {
        return BuildersKt.runBlocking(context(), (scope, continuation) -> {
            try {
                return function.start(continuation);
            } catch (Throwable e) { // checked exceptions too, which Kotlin's interfaces do not declare
                throw Coroutines.<RuntimeException>unchecked(e);
            }
        });
    }

    /** On other threads its coroutines have the observation of the invocation, if the library that passes it on is there. */
    private static CoroutineContext context() {
        return ClassUtils.isPresent(PROPAGATION, null)
                ? new PropagationContextElement()
                : EmptyCoroutineContext.INSTANCE;
    }

    /** Throws the exception as it is: the failure policy uses its class. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> RuntimeException unchecked(Throwable thrown) throws E {
        throw (E) thrown;
    }
}
