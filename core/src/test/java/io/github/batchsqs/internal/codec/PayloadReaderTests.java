/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.codec.ConversionException;
import io.github.batchsqs.codec.JacksonPayloadCodec;
import io.github.batchsqs.codec.PayloadCodec;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

class PayloadReaderTests {

    private final PayloadCodec codec = new JacksonPayloadCodec(JsonMapper.shared());

    interface Event {}

    record Placed(String id) implements Event {}

    record Cancelled(String id) implements Event {}

    @Test
    void aValueThatIsNotListedIsRefusedAndNeverTakenForAClassName() {
        assertThatExceptionOfType(ConversionException.class)
                .isThrownBy(() -> read(Envelope.NONE, Event.class, "{\"id\":\"1\"}", Placed.class.getName()))
                .withMessage("The body cannot be read as " + Event.class.getName()
                        + ": the message's attribute kind must be one of those in payload.types: cancelled, placed");
        assertThatExceptionOfType(ConversionException.class)
                .isThrownBy(() -> reader(Envelope.NONE, Event.class)
                        .read("{}", () -> Map.of("kind", MessageAttribute.binary(new byte[1]))));
    }

    @Test
    void withoutTheAttributeTheHandlersTypeIsTakenUnlessItIsAbstract() {
        assertThat(read(Envelope.NONE, Placed.class, "{\"id\":\"1\"}", null)).isEqualTo(new Placed("1"));
        assertThat(read(Envelope.NONE, byte[].class, "ab", null)).isEqualTo(new byte[] {'a', 'b'});
        assertThat(read(Envelope.NONE, new TypeReference<List<Integer>>() {}.getType(), "[1]", null))
                .isEqualTo(List.of(1));
        assertThatExceptionOfType(ConversionException.class)
                .isThrownBy(() -> read(Envelope.NONE, Event.class, "{\"id\":\"1\"}", null))
                .withMessageEndingWith(
                        "the message has no attribute kind (payload.type-header), which several types need, and an"
                                + " abstract one");
    }

    @Test
    void whatStandsOnTheEnvelopeChoosesTheTypeBeforeTheAttributesOfTheMessage() {
        String enveloped = "{\"Type\":\"Notification\",\"Message\":\"{\\\"id\\\":\\\"1\\\"}\","
                + "\"MessageAttributes\":{\"kind\":{\"Type\":\"String\",\"Value\":\"cancelled\"}}}";
        assertThat(read(Envelope.SNS, Event.class, enveloped, "placed")).isEqualTo(new Cancelled("1"));

        var byDetailType = new PayloadReader(
                codec,
                Envelope.EVENT_BRIDGE,
                Event.class,
                PayloadTypes.of("detail-type", Map.of("p", Placed.class), Event.class));
        assertThat(byDetailType.read("{\"source\":\"s\",\"detail-type\":\"p\",\"detail\":{\"id\":\"1\"}}", Map::of))
                .isEqualTo(new Placed("1"));
    }

    private Object read(Envelope envelope, Type type, String body, @Nullable String kind) {
        Map<String, MessageAttribute> attributes =
                kind == null ? Map.of() : Map.of("kind", MessageAttribute.string(kind));
        return reader(envelope, type).read(body, () -> attributes);
    }

    private PayloadReader reader(Envelope envelope, Type type) {
        Map<String, Class<?>> types = Map.of("placed", Placed.class, "cancelled", Cancelled.class);
        return new PayloadReader(codec, envelope, type, PayloadTypes.of("kind", types, PayloadReader.published(type)));
    }
}
