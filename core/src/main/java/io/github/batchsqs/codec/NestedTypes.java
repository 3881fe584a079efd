/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.codec;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.AbstractDeserializer;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.std.ContainerDeserializerBase;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * Finds the properties within a payload type whose own type Jackson does not construct. It asks the deserializers that Jackson makes, so
 * that modules and annotations count.
 */
@SuppressWarnings("serial") // Jackson's modifiers are serializable, but this one leaves no method
final class NestedTypes extends ValueDeserializerModifier {

    private final List<BeanDeserializerBase> beans = new ArrayList<>();

    private NestedTypes() {}

    /** Returns the types that are not constructed, by the class and name of a property. */
    static Map<String, JavaType> notConstructed(JsonMapper mapper, JavaType type) {
        NestedTypes seen = new NestedTypes();
        try {
            var unused = mapper.rebuild()
                    .addModule(new SimpleModule().setDeserializerModifier(seen))
                    .build()
                    .readerFor(type)
                    .readValue("{}");
        } catch (RuntimeException e) {
            // The deserializers are made all the same, or the type itself is wrong, which its own check reports
        }
        Map<String, JavaType> found = new LinkedHashMap<>();
        for (BeanDeserializerBase bean : seen.beans) {
            bean.properties().forEachRemaining(property -> {
                JavaType nested = notConstructed(property);
                if (nested != null) {
                    found.put(bean.handledType().getName() + "." + property.getName(), nested);
                }
            });
        }
        return found;
    }

    private static @Nullable JavaType notConstructed(SettableBeanProperty property) {
        JavaType type = property.getType();
        ValueDeserializer<?> deserializer = property.getValueDeserializer();
        boolean typed = property.hasValueTypeDeserializer();
        while (deserializer instanceof ContainerDeserializerBase<?> container && type.getContentType() != null) {
            type = type.getContentType();
            deserializer = container.getContentDeserializer();
            typed = type.getTypeHandler() != null;
        }
        boolean constructed = !(deserializer instanceof AbstractDeserializer)
                && !(deserializer instanceof BeanDeserializerBase bean
                        && !bean.getValueInstantiator().canInstantiate());
        return typed || constructed ? null : type;
    }

    @Override
    public ValueDeserializer<?> modifyDeserializer(
            DeserializationConfig config, BeanDescription.Supplier described, ValueDeserializer<?> deserializer) {
        if (deserializer instanceof BeanDeserializerBase bean) {
            beans.add(bean);
        }
        return deserializer;
    }
}
