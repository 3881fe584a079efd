/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.signature;

import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;

/** One kind of parameter that handler methods may have. The first shape that knows a parameter decides about it. */
@FunctionalInterface
interface ArgumentShape {

    /**
     * The argument for this parameter, or {@code null} if it is of another shape.
     *
     * @param parameter for its annotations
     * @param type its type, with the type variables of the bean's class resolved
     * @throws UnsupportedParameterException if it is of this shape, but cannot be used
     */
    @Nullable
    Argument match(MethodParameter parameter, ResolvableType type);
}
