/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.codec;

import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Converts JSON with Jackson 3.
 *
 * <p>Text is not JSON here: a {@code String} is the unchanged body in both directions, and {@code byte[]} is the body's
 * text in UTF-8. The mapper, with its configuration, reads and writes all other types. The codec refuses the body
 * {@code null}, because no handler expects it.
 */
public final class JacksonPayloadCodec implements PayloadCodec {

    private final JsonMapper mapper;
    private final FailurePath paths;
    private final ConcurrentMap<Type, ObjectReader> readers = new ConcurrentHashMap<>();

    /**
     * Creates the codec over this mapper.
     *
     * @param mapper the mapper that reads and writes payloads
     */
    public JacksonPayloadCodec(JsonMapper mapper) {
        this.mapper = mapper;
        this.paths = new FailurePath(mapper);
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the caller asks for the type that T is
    public <T> T read(String body, Type type) {
        if (type == String.class) {
            return (T) body;
        }
        if (type == byte[].class) {
            return (T) body.getBytes(StandardCharsets.UTF_8);
        }
        T payload;
        try {
            payload = reader(type).readValue(body);
        } catch (RuntimeException e) {
            throw new ConversionException(
                    "The body cannot be read as " + type.getTypeName() + ": " + paths.describe(e), e);
        }
        if (payload == null) {
            throw new ConversionException(
                    "The body cannot be read as " + type.getTypeName() + ": it is JSON's null", null);
        }
        return payload;
    }

    /** Reads an empty object: whatever is wrong with that, only the definition of the type counts. */
    @Override
    public void requireReadable(Type type) {
        if (type.equals(String.class) || type.equals(byte[].class)) {
            return; // read without the mapper
        }
        JavaType wanted = mapper.constructType(type);
        while (wanted.getContentType() != null) {
            wanted = wanted.getContentType();
        }
        try {
            var unused = mapper.readerFor(wanted).readValue("{}");
        } catch (InvalidDefinitionException e) {
            throw new ConversionException("No body can be read as " + type.getTypeName() + ": " + paths.describe(e), e);
        } catch (RuntimeException e) {
            return; // the type wants more than an empty object
        }
    }

    @Override
    public String write(Object payload) {
        if (payload instanceof String text) {
            return text;
        }
        try {
            return payload instanceof byte[] bytes ? decode(bytes) : mapper.writeValueAsString(payload);
        } catch (CharacterCodingException e) {
            throw new ConversionException(
                    "The byte[] cannot be a body: it is not text in UTF-8; encode it, for example as Base64", e);
        } catch (RuntimeException e) {
            throw new ConversionException(
                    "The payload of type " + payload.getClass().getTypeName() + " cannot be written: "
                            + paths.describe(e),
                    e);
        }
    }

    private ObjectReader reader(Type type) {
        ObjectReader reader = readers.get(type);
        return reader != null ? reader : readers.computeIfAbsent(type, this::newReader);
    }

    private ObjectReader newReader(Type type) {
        return mapper.readerFor(mapper.constructType(type));
    }

    /** Decodes strictly: a replacement character in place of an invalid one would be silent loss. */
    private static String decode(byte[] bytes) throws CharacterCodingException {
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes))
                .toString();
    }
}
