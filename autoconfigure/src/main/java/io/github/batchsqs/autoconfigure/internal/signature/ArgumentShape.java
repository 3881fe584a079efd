/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.signature;

import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;

/**
 * One kind of parameter that handler methods may have. The first shape that matches a parameter creates its argument.
 */
@FunctionalInterface
interface ArgumentShape {

    /**
     * Returns the argument for this parameter, or {@code null} if the parameter is of another shape.
     *
     * @param parameter the parameter, for its annotations
     * @param type its type, with the type variables of the bean's class resolved
     * @throws UnsupportedParameterException if the parameter is of this shape, but cannot be used
     */
    @Nullable
    Argument match(MethodParameter parameter, ResolvableType type);
}
