/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** Finds the type as which Jackson can read the payloads of several methods, and decide on the class of each. */
final class CommonType {

    /** By name, because Jackson is optional where the application has a codec of its own. */
    private static final String TYPE_INFO = "com.fasterxml.jackson.annotation.JsonTypeInfo";

    private CommonType() {}

    /**
     * Returns the nearest common supertype with {@code @JsonTypeInfo}, or {@code null} if there is none, or more than one.
     *
     * @param types at least one type
     */
    static @Nullable Class<?> withTypeInfo(Collection<Class<?>> types) {
        List<Class<?>> common = supertypes(types.iterator().next()).stream()
                .filter(each -> types.stream().allMatch(each::isAssignableFrom))
                .filter(CommonType::hasTypeInfo)
                .toList();
        List<Class<?>> nearest = common.stream()
                .filter(each -> common.stream().noneMatch(other -> other != each && each.isAssignableFrom(other)))
                .toList();
        return nearest.size() == 1 ? nearest.getFirst() : null;
    }

    /** Returns whether the type is an abstract supertype of all: mix-ins or the codec may decide on the class of a payload. */
    static boolean mayBeRead(Class<?> type, Collection<Class<?>> types) {
        return Modifier.isAbstract(type.getModifiers()) && types.stream().allMatch(type::isAssignableFrom);
    }

    private static boolean hasTypeInfo(Class<?> type) {
        return MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY).isPresent(TYPE_INFO);
    }

    private static Set<Class<?>> supertypes(Class<?> type) {
        Set<Class<?>> supertypes = new LinkedHashSet<>();
        collect(type, supertypes);
        return supertypes;
    }

    private static void collect(Class<?> type, Set<Class<?>> supertypes) {
        supertypes.add(type);
        for (Class<?> each : type.getInterfaces()) {
            collect(each, supertypes);
        }
        Class<?> superclass = type.getSuperclass();
        if (superclass != null) {
            collect(superclass, supertypes);
        }
    }
}
