/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.fail;

import io.github.batchsqs.client.SendEntry;
import io.github.batchsqs.internal.sdk.Digests;
import io.github.batchsqs.internal.sdk.IncompleteResponseException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.exception.SdkClientException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The reader of responses against Jackson, on responses that were damaged at random: it takes the same ones for JSON, and reads the
 * same from them. {@code -Dresponses=1000000} tries more of them, {@code -Dresponses.first=4711} others.
 */
class JsonReaderTests {

    private static final int RESPONSES = Integer.getInteger("responses", 100_000);
    private static final long FIRST_SEED = Long.getLong("responses.first", 1);
    private static final int AS_LARGE = 4;

    private static final JsonFactory JACKSON = new JsonFactory();
    private static final Responses RESPONSES_READER = new Responses(true);

    private static final List<String> WHOLE = List.of(
            """
            {"Messages":[{"MessageId":"00000000-0000-0000-0000-000000000001","ReceiptHandle":"AQEB+/==","MD5OfBody":"%s",
            "Body":"{\\"a\\":\\"\u00fc\uD83D\uDE00\\u00e9\\n\\"}","Attributes":{"SenderId":"AIDA","SentTimestamp":"1767225600000",
            "ApproximateReceiveCount":1,"MessageGroupId":null},"MessageAttributes":{"n":{"DataType":"Binary","BinaryValue":"AAH/"},
            "t":{"StringValue":"v","DataType":"String","StringListValues":[]}},"MD5OfMessageAttributes":"0","New":[1,-2.5e+3,{"b":[[]]}]}]}""".formatted(Digests.ofBody("a")),
            "{\"Successful\":[{\"Id\":\"0\",\"MessageId\":\"m\",\"MD5OfMessageBody\":\"%s\",\"SequenceNumber\":\"188\"}],"
                            .formatted(Digests.ofBody("a"))
                    + "\"Failed\":[{\"Id\":\"1\",\"Code\":\"Throttled\",\"Message\":\"slow \\/ down\",\"SenderFault\":false},null]}",
            "{}",
            "{\"__type\":\"com.amazonaws.sqs#QueueDoesNotExist\",\"message\":\"no \\uD83D\\uDE00 queue\"}");

    private static final List<String> PIECES = List.of(
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"",
            "\\",
            "\\u",
            "\\u12",
            "null",
            "true",
            "nul",
            "-",
            "0",
            "01",
            "1.",
            "1e",
            "E9",
            ".5",
            " ",
            "\t",
            "\u0000",
            "\u0001",
            "\u00fc",
            "\u20ac",
            "\uD83D\uDE00",
            "\\uD83D",
            "/*",
            "NaN",
            "\"Messages\":",
            "\"Id\":\"0\",",
            "[[[[[[",
            "\u007f",
            "'");

    private static final byte[][] LEFT_BEHIND = {
        "\"}]}]}]}".getBytes(UTF_8), "}}}]}]}".getBytes(UTF_8), "0123\"}".getBytes(UTF_8), {-128, -128, -128, '"', '}'}
    };

    @Test
    void damagedResponsesAreReadAsJacksonReadsThem() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RESPONSES; seed++) {
            byte[] body = damaged(new SplittableRandom(seed));
            String ours = ours(body);
            String jacksons = jacksons(body);
            boolean known = ours.equals("refused")
                    ? !isUtf8(body) // Jackson takes some of what is not
                    : jacksons.equals("refused")
                            && !UTF_8.newEncoder().canEncode(ours); // in a name; Jackson refuses it there
            if (!ours.equals(jacksons) && !known) {
                fail("Seed %s: %s is read as %s, by Jackson as %s", seed, new String(body, ISO_8859_1), ours, jacksons);
            }
        }
    }

    @Test
    void damagedResponsesEndInAResultOrAFailureThatIsExpected() {
        List<SendEntry> entries = Collections.nCopies(10, new SendEntry("a", Map.of(), null, null, null, null));
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RESPONSES; seed++) {
            byte[] body = damaged(new SplittableRandom(seed));
            byte[] buffer = inBuffer(body);
            for (Runnable read : List.<Runnable>of(
                    () -> RESPONSES_READER.received(buffer, body.length),
                    () -> RESPONSES_READER.accepted(buffer, body.length, 10),
                    () -> RESPONSES_READER.sent(buffer, body.length, entries))) {
                try {
                    read.run();
                } catch (UnreadableJsonException | IncompleteResponseException | SdkClientException expected) {
                    assertThat(expected).hasMessageNotContaining("null pointer");
                } catch (IllegalArgumentException expected) { // null in place of an object, or what is no Base64
                    assertThat(expected.getMessage()).containsAnyOf("is null", "ase64", "nput byte", "ast unit");
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{\"a\":"})
    void nestingHasALimit(String opening) {
        byte[] deepest = opening.repeat(1_000).getBytes(UTF_8);
        assertThatExceptionOfType(UnreadableJsonException.class)
                .isThrownBy(() -> new JsonReader(deepest, deepest.length).skip())
                .withMessageContaining("no further value");
        byte[] deeper = opening.repeat(1_000_000).getBytes(UTF_8);
        assertThatExceptionOfType(UnreadableJsonException.class)
                .isThrownBy(() -> new JsonReader(deeper, deeper.length).skip())
                .withMessageContaining("1000 deep");
    }

    @Test
    void failuresHaveNoPartOfTheResponse() {
        byte[] body = "{\"Messages\":[{\"Body\":secret}]}".getBytes(UTF_8);
        assertThatExceptionOfType(UnreadableJsonException.class)
                .isThrownBy(() -> RESPONSES_READER.received(body, body.length))
                .withMessage("The response is not the JSON that was expected: no value at byte 21 of 30");
        byte[] forged = "{\"Messages\":[{\"Attributes\":{\"secret\":{}}}]}".getBytes(UTF_8);
        assertThatExceptionOfType(UnreadableJsonException.class)
                .isThrownBy(() -> RESPONSES_READER.received(forged, forged.length))
                .withMessage("The response is not the JSON that was expected: no text at byte 37 of 43");
    }

    /** A whole response with up to three pieces cut out, doubled, overwritten or put in. */
    private static byte[] damaged(SplittableRandom random) {
        byte[] body = WHOLE.get(random.nextInt(WHOLE.size())).getBytes(UTF_8);
        for (int i = random.nextInt(AS_LARGE); i > 0; i--) {
            int from = random.nextInt(body.length + 1);
            int to = Math.min(body.length, from + random.nextInt(8));
            byte[] put = switch (random.nextInt(6)) {
                case 0 -> new byte[0];
                case 1 -> Arrays.copyOfRange(body, random.nextInt(from + 1), to);
                case 2 -> new byte[] {(byte) random.nextInt(256)};
                default -> PIECES.get(random.nextInt(PIECES.size())).getBytes(UTF_8);
            };
            boolean insert = random.nextBoolean();
            byte[] rest = Arrays.copyOfRange(body, insert ? from : to, body.length);
            boolean cut = random.nextInt(20) == 0;
            ByteBuffer next = ByteBuffer.allocate(from + put.length + (cut ? 0 : rest.length));
            next.put(body, 0, from).put(put);
            body = (cut ? next : next.put(rest)).array();
        }
        return body;
    }

    /** As the reader gets it: in a buffer with what an earlier response has left behind. */
    private static byte[] inBuffer(byte[] body) {
        byte[] tail = LEFT_BEHIND[body.length % LEFT_BEHIND.length];
        byte[] buffer = Arrays.copyOf(body, body.length + tail.length);
        System.arraycopy(tail, 0, buffer, body.length, tail.length);
        return buffer;
    }

    private static String ours(byte[] body) {
        try {
            JsonReader json = new JsonReader(inBuffer(body), body.length);
            return json.isEmpty() ? "nothing" : ofContainer(ours(json, new StringBuilder()));
        } catch (UnreadableJsonException e) {
            return "refused";
        }
    }

    /** A response is an object; nobody looks at what follows another value. */
    private static String ofContainer(StringBuilder text) {
        return text.length() > 0 && (text.charAt(0) == '{' || text.charAt(0) == '[') ? text.toString() : "refused";
    }

    private static StringBuilder ours(JsonReader json, StringBuilder text) {
        if (json.nextObject()) {
            text.append('{');
            while (json.nextMember()) {
                ours(json, text.append(json.name()).append('=')).append(';');
            }
            return text.append('}');
        }
        if (json.nextArray()) {
            text.append('[');
            while (json.nextElement()) {
                ours(json, text).append(';');
            }
            return text.append(']');
        }
        return text.append(json.text());
    }

    private static String jacksons(byte[] body) {
        try (JsonParser json = JACKSON.createParser(ObjectReadContext.empty(), body)) {
            JsonToken first = json.nextToken();
            return first == null ? "nothing" : ofContainer(jacksons(json, first, new StringBuilder()));
        } catch (JacksonException e) {
            return "refused";
        }
    }

    private static StringBuilder jacksons(JsonParser json, @Nullable JsonToken token, StringBuilder text) {
        if (token == JsonToken.START_OBJECT) {
            text.append('{');
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                text.append(json.currentName()).append('=');
                jacksons(json, json.nextToken(), text).append(';');
            }
            return text.append('}');
        }
        if (token == JsonToken.START_ARRAY) {
            text.append('[');
            for (JsonToken next = json.nextToken(); next != JsonToken.END_ARRAY; next = json.nextToken()) {
                jacksons(json, next, text).append(';');
            }
            return text.append(']');
        }
        return text.append(token == JsonToken.VALUE_NULL ? null : json.getString());
    }

    private static boolean isUtf8(byte[] body) {
        try {
            UTF_8.newDecoder().decode(ByteBuffer.wrap(body));
            return body.length < 2 || (body[0] != 0 && body[1] != 0);
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
