/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import java.util.Collection;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Looks at a {@link Throwable} and its causes, of which there may be a circle. */
public final class Causes {

    static final int MAX = 32;

    private Causes() {}

    /** Returns the last of the causes, or the failure itself if it has none. */
    public static Throwable innermost(Throwable failure) {
        Throwable innermost = failure;
        for (int depth = 0; innermost.getCause() != null && depth < MAX; depth++) {
            innermost = innermost.getCause();
        }
        return innermost;
    }

    /** Returns whether the failure, or one of its causes, is of one of these types. */
    public static boolean isAny(Throwable failure, Collection<Class<? extends Throwable>> types) {
        return !types.isEmpty() && isAny(failure, cause -> types.stream().anyMatch(type -> type.isInstance(cause)));
    }

    /** Returns whether the failure, or one of its causes, is of this kind. */
    public static boolean isAny(Throwable failure, Predicate<Throwable> kind) {
        return first(failure, kind) != null;
    }

    /** Returns the failure itself, or the first of its causes, that has this type; {@code null} if none has. */
    public static <E extends Throwable> @Nullable E find(Throwable failure, Class<E> type) {
        return type.cast(first(failure, type::isInstance));
    }

    private static @Nullable Throwable first(Throwable failure, Predicate<Throwable> kind) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < MAX; depth++) {
            if (kind.test(cause)) {
                return cause;
            }
            cause = cause.getCause();
        }
        return null;
    }
}
