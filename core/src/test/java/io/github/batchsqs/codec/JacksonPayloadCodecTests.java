/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

class JacksonPayloadCodecTests {

    /** The most talkative mapper: it quotes sources, and refuses what it does not know. */
    private final JacksonPayloadCodec codec = new JacksonPayloadCodec(JsonMapper.builder()
            .enable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build());

    interface Unknown {}

    static final class WithoutConstructor {
        WithoutConstructor(String first, int second) {}
    }

    static Stream<Type> unreadable() {
        return Stream.of(Unknown.class, WithoutConstructor.class, new TypeReference<List<Unknown>>() {}.getType());
    }

    @ParameterizedTest
    @MethodSource("unreadable")
    void findsAtTheStartThatAClassCannotBeReadAndSaysWhy(Type type) {
        assertThatThrownBy(() -> codec.requireReadable(type))
                .isInstanceOf(ConversionException.class)
                .hasMessageStartingWith("No body can be read as " + type.getTypeName() + ": ")
                .hasMessageContaining("InvalidDefinitionException (Cannot construct instance of");
        assertThatThrownBy(() -> codec.read("{\"secret\":1}", type)).hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Order.class,
                String.class,
                byte[].class,
                Color.class,
                Integer.class,
                Map.class,
                List.class,
                Object.class
            })
    void asksNoMoreThanThatAClassCanBeRead(Class<?> type) {
        codec.requireReadable(type);
    }

    record Order(String id, int amount, List<Item> items, Map<String, Integer> notes) {}

    record Item(String name, Color color) {
        Item {
            if (name != null && name.startsWith("bad")) {
                throw new IllegalArgumentException("no such item: " + name);
            }
        }
    }

    enum Color {
        RED
    }

    static final class Open {
        final Map<String, Integer> rest = new HashMap<>();

        @JsonAnySetter
        void set(String name, int value) {
            rest.put(name, value);
        }
    }

    static final class Unwritable {
        private final List<String> none = List.of();

        public String getValue() {
            return Objects.requireNonNull(none.isEmpty() ? null : none.getFirst(), "SECRET");
        }
    }

    @Test
    void readsAndWritesRecords() {
        Order order = new Order("1", 2, List.of(new Item("n", Color.RED)), Map.of("k", 3));
        assertThat(codec.<Order>read(codec.write(order), Order.class)).isEqualTo(order);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{ not json", "\"quoted\"", "null"})
    void leavesTextAlone(String body) {
        assertThat(codec.<String>read(body, String.class)).isSameAs(body);
        assertThat(codec.write(body)).isSameAs(body);
    }

    @Test
    void takesBytesForTheBodyInUtf8() {
        byte[] bytes = "grüße".getBytes(StandardCharsets.UTF_8);
        assertThat(codec.write(bytes)).isEqualTo("grüße");
        assertThat(codec.<byte[]>read("grüße", byte[].class)).isEqualTo(bytes);
        assertThatThrownBy(() -> codec.write(new byte[] {(byte) 0xFF}))
                .isInstanceOf(ConversionException.class)
                .hasMessageContaining("Base64");
    }

    @Test
    void refusesJsonNull() {
        assertThatThrownBy(() -> codec.read("null", Order.class))
                .isInstanceOf(ConversionException.class)
                .hasMessageContaining("null");
    }

    @Test
    void aBodyBeyondTheLimitsOfJacksonIsUnreadable() {
        assertThat(failure("[".repeat(2_000) + "]".repeat(2_000), List.class).retryable())
                .isFalse();
    }

    @Test
    void saysWhichTypeAndWhere() {
        ConversionException failure = failure("""
                {"id":"1",
                 "items":[{"color":"RED"},{"color":"SECRET"}]}""", Order.class);
        assertThat(failure.retryable()).isFalse();
        assertThat(failure)
                .hasMessageContaining(Order.class.getTypeName())
                .hasMessageContaining("InvalidFormatException at items[1].color (line 2, column ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SECRET",
                "{\"id\":SECRET}",
                "{\"id\":\"SECRET",
                "\"SECRET\"",
                "{\"amount\":\"SECRET\"}",
                "{\"amount\":{\"SECRET\":1}}",
                "{\"SECRET\":1}",
                "{\"notes\":{\"SECRET\":\"x\"}}",
                "{\"notes\":{\"x\":\"SECRET\"}}",
                "{\"items\":[{\"color\":\"SECRET\"}]}",
                "{\"items\":[{\"name\":\"bad SECRET\"}]}",
                "{\"id\":\"SECRET\"} SECRET",
            })
    void neverQuotesThePayload(String body) {
        assertThat(everythingSaid(failure(body, Order.class))).doesNotContain("SECRET");
    }

    @Test
    void neverQuotesNamesThatOnlyTheSenderKnows() {
        assertThat(everythingSaid(failure("{\"SECRET\":\"x\"}", Open.class))).doesNotContain("SECRET");
    }

    @Test
    void keepsTheStackTraceOfAFailure() {
        ConversionException failure = failure("{\"items\":[{\"name\":\"bad SECRET\"}]}", Order.class);
        assertThat(everythingSaid(failure)).contains("java.lang.IllegalArgumentException", "Item.<init>");
    }

    @ParameterizedTest
    @ValueSource(classes = {NoClassDefFoundError.class, OutOfMemoryError.class})
    void throwsAnErrorOfTheMachineAsItIs(Class<? extends Error> type) {
        String body = "{\"parts\":[{\"error\":\"" + type.getName() + "\"}]}";
        assertThatThrownBy(() -> codec.read(body, Whole.class)).isExactlyInstanceOf(type);
    }

    record Whole(List<Part> parts) {}

    record Part(String error) {
        Part {
            switch (error) {
                case "java.lang.NoClassDefFoundError" -> throw new NoClassDefFoundError("com/acme/Part");
                default -> throw new OutOfMemoryError("by a test's wish");
            }
        }
    }

    @Test
    void neverQuotesWhatCannotBeWritten() {
        Map<String, Object> payload = Map.of("SECRET key", new Unwritable());
        ConversionException failure = catchThrowableOfType(ConversionException.class, () -> codec.write(payload));
        assertThat(failure).hasMessageContaining("at *.value");
        assertThat(everythingSaid(failure)).doesNotContain("SECRET");
    }

    private ConversionException failure(String body, Type type) {
        return catchThrowableOfType(ConversionException.class, () -> codec.read(body, type));
    }

    /** Message, causes and stack traces, as a log would have them. */
    private static String everythingSaid(Throwable failure) {
        StringWriter said = new StringWriter();
        failure.printStackTrace(new PrintWriter(said, true));
        return said.toString();
    }
}
