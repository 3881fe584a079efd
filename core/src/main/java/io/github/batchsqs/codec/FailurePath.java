/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.codec;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JacksonException.Reference;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.introspect.BeanPropertyDefinition;
import tools.jackson.databind.introspect.ClassIntrospector;
import tools.jackson.databind.json.JsonMapper;

/**
 * Describes where Jackson failed, without quoting the payload.
 *
 * <p>Jackson's messages quote invalid values, and its paths contain keys of maps and names of unknown properties, all
 * of which the sender chose. The description shows only names that the target class itself declares, and {@code *} for
 * others. The look-up of declared names is slow, but happens only for failures.
 */
record FailurePath(JsonMapper mapper) {

    /**
     * Returns the kind of failure, the path and the position, for example {@code InvalidFormatException at
     * items[3].price (line 1, column 34)}; for a class that cannot be read also Jackson's reason, which has no content.
     */
    String describe(RuntimeException e) {
        StringBuilder description = new StringBuilder(e.getClass().getSimpleName());
        if (e instanceof InvalidDefinitionException definition) { // about the class, never about the content
            description.append(" (").append(definition.getOriginalMessage()).append(')');
        }
        if (e instanceof JacksonException failure) {
            path(failure.getPath(), description);
            TokenStreamLocation location = failure.getLocation();
            if (location != null && location.getLineNr() > 0) {
                description
                        .append(" (line ")
                        .append(location.getLineNr())
                        .append(", column ")
                        .append(location.getColumnNr())
                        .append(')');
            }
        }
        return description.toString();
    }

    private void path(@Nullable List<Reference> path, StringBuilder description) {
        if (path == null || path.isEmpty()) {
            return;
        }
        description.append(" at ");
        boolean first = true;
        for (Reference step : path) {
            String name = step.getPropertyName();
            if (name == null) {
                description.append('[').append(step.getIndex()).append(']');
            } else {
                description.append(first ? "" : ".").append(declared(step.from(), name) ? name : "*");
            }
            first = false;
        }
    }

    private boolean declared(@Nullable Object from, String name) {
        if (from == null) {
            return false;
        }
        try {
            JavaType type = mapper.constructType(from instanceof Class<?> declaring ? declaring : from.getClass());
            ClassIntrospector introspector = mapper.deserializationConfig().classIntrospectorInstance();
            BeanDescription bean =
                    introspector.introspectForDeserialization(type, introspector.introspectClassAnnotations(type));
            for (BeanPropertyDefinition property : bean.findProperties()) {
                if (property.getName().equals(name)) {
                    return true;
                }
            }
            return false;
        } catch (RuntimeException e) {
            return false; // not known, so not shown
        }
    }
}
