/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import io.github.batchsqs.internal.http.ResponseBody;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads the JSON of a response by demand, with the limits of the SDK's parser. All that is not the expected JSON ends in a
 * {@link JacksonException}, whose message may quote the response. What follows the value is not looked at. Used by one thread.
 */
final class ResponseJson implements AutoCloseable {

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(1_000)
                    .maxNameLength(65_535)
                    .maxStringLength(ResponseBody.LARGEST)
                    .maxNumberLength(ResponseBody.LARGEST)
                    .build())
            .build();

    private final JsonParser json;

    ResponseJson(byte[] bytes, int length) {
        json = FACTORY.createParser(ObjectReadContext.empty(), bytes, 0, length);
    }

    /** Enters the response's object. Returns false without any content: that counts as no members, as it does in the SDK. */
    boolean open() {
        JsonToken token = json.nextToken();
        if (token == JsonToken.VALUE_NULL) {
            throw new IllegalArgumentException("The response is null");
        }
        return token != null && entered(token, JsonToken.START_OBJECT);
    }

    /** Goes on to the next member of the object, before its value. Returns null behind the last one, and leaves the object. */
    @Nullable
    String nextMember() {
        return json.nextName();
    }

    /** Enters the object that is the next value. Returns false if that is null. */
    boolean object() {
        return entered(json.nextToken(), JsonToken.START_OBJECT);
    }

    /** Runs within each object of the array that is the next value. */
    void forEach(Runnable read) {
        if (!entered(json.nextToken(), JsonToken.START_ARRAY)) {
            return;
        }
        for (JsonToken next = json.nextToken(); next != JsonToken.END_ARRAY; next = json.nextToken()) {
            if (entered(next, JsonToken.START_OBJECT)) {
                read.run();
            }
        }
    }

    private boolean entered(@Nullable JsonToken token, JsonToken wanted) {
        require(token == wanted || token == JsonToken.VALUE_NULL);
        return token == wanted;
    }

    /** Returns the next value, which must be a string, a number, true, false, or null. */
    @Nullable
    String text() {
        String text = json.nextStringValue();
        if (text != null) {
            return text;
        }
        JsonToken token = json.currentToken();
        require(token != null && token.isScalarValue());
        return token == JsonToken.VALUE_NULL ? null : json.getString();
    }

    /** Returns the next value, which must be Base64 or null. */
    byte @Nullable [] base64() {
        String text = text();
        require(text == null || json.currentToken() == JsonToken.VALUE_STRING);
        return text == null ? null : Base64.getDecoder().decode(text);
    }

    /** Returns the next value, which must be true or false, as such or as a string, or null. */
    boolean truth() {
        boolean truth = Boolean.parseBoolean(text());
        require(!json.currentToken().isNumeric());
        return truth;
    }

    /** Reads the next value, whatever it is. */
    void skip() {
        JsonToken unused = json.nextToken();
        json.skipChildren();
    }

    private void require(boolean expected) {
        if (!expected) {
            throw new StreamReadException(json, "The response has another value than the protocol has");
        }
    }

    @Override
    public void close() {
        json.close();
    }
}
