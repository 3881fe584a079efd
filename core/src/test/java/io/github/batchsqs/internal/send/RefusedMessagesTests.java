/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.batchsqs.codec.ConversionException;
import io.github.batchsqs.send.DeduplicationIds;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.send.SendResult;
import io.github.batchsqs.send.SendResults;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

/** What the template refuses before it sends anything. */
class RefusedMessagesTests extends TemplateFixture {

    static Stream<Arguments> refusals() {
        OutgoingMessage.Builder eleven = text("text");
        for (int i = 0; i < 11; i++) {
            eleven.attribute("a" + i, i);
        }
        Stream<Arguments> rules = Stream.of(
                refused(text(LARGEST + "x"), "1048577 bytes", "the maximum is 1MB"),
                refused(text(LARGEST).attribute("name", "v".repeat(20)), "1048606 bytes"),
                refused(text("ä".repeat(524_289)), "1048578 bytes"),
                refused(text(""), "empty"),
                refused(OutgoingMessage.builder("q.fifo", "text"), "group id"),
                refused(ordered("text").delay(Duration.ZERO), "no delay per message"),
                refused(text("text").delay(Duration.ofSeconds(901)), "901s"),
                refused(text("text").delay(Duration.ofSeconds(-1)), "-1s"),
                refused(eleven, "11 attributes"),
                refused(text("text").attribute("a", ""), "'a' has no value"),
                refused(text("text").attribute("a", new byte[0]), "'a' has no value"),
                refused(text("text").groupId("x".repeat(129)), "129"),
                refused(text("text").deduplicationId("id"), "only for FIFO"));
        Stream<Arguments> names = Stream.of("", ".a", "a.", "a..b", "AWS.a", "amazon.a", "a b", "ä")
                .map(name -> refused(text("text").attribute(name, "value"), "must have a name"));
        Stream<Arguments> characters = Stream.of("\ud800", "\udc00c", "\ud800\ud800", "\u0001", "\uffff", "\ufffe")
                .map("ab"::concat)
                .flatMap(odd -> Stream.of(
                        refused(text(odd), "The body", "at index 2", "SQS refuses"),
                        refused(text("text").attribute("name", odd), "The attribute 'name'", "at index 2"),
                        refused(ordered(odd), "at index 2")));
        Stream<Arguments> ids = Stream.of("", "with space", "ümlaut")
                .flatMap(id -> Stream.of(
                        refused(text("text").groupId(id), "group id"),
                        refused(ordered("text").deduplicationId(id), "deduplication id")));
        Stream<Arguments> noPayloads = Stream.of(
                refused(text(OutgoingMessage.of("q", "text")), "pass it to send(OutgoingMessage)"),
                refused(text(text("text")), "call build()"),
                refused(text(List.of(OutgoingMessage.of("q", "text"))), "several to sendAll(Collection)"),
                refused(text(SendMessageRequest.builder().messageBody("x").build()), "a type of the AWS SDK"),
                refused(text(List.of(Message.builder().body("x").build())), "a type of the AWS SDK"),
                refused(text(new Object()), "has no property"),
                refused(text(new NoProperty()), "has no property"),
                refused(text(CompletableFuture.completedFuture("x")), "CompletableFuture, a future; send its result"),
                refused(text(List.of(new FutureTask<>(() -> "x"))), "FutureTask, a future; send its result"),
                refused(text(Stream.of("x")), ", a stream; pass a List"),
                refused(text(IntStream.of(1)), ", a stream; pass a List"),
                refused(text(List.of("x").iterator()), ", an iterator; pass a List"),
                refused(text(Thread.ofVirtual().unstarted(() -> {})), ", a thread; send the values"));
        return Stream.of(rules, names, characters, ids, noPayloads).flatMap(each -> each);
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void refusesWithTheRule(OutgoingMessage.Builder message, List<String> parts) {
        assertInvalid(template.send(message.build()), parts.toArray(String[]::new));
        assertThat(seam.sizes()).isEmpty();
    }

    static Stream<Object> payloads() {
        return Stream.of(
                "\t\n\r \ud7ff\ue000\ufffd\ud83d\ude00",
                List.of("text"),
                List.of(),
                Map.of(),
                Optional.of("text"),
                new Ping(),
                new Bean());
    }

    @ParameterizedTest
    @MethodSource("payloads")
    void refusesNothingThatSqsTakes(Object payload) {
        OutgoingMessage message =
                ordered(payload).deduplicationId("x".repeat(128)).build();
        assertThat(Progress.done(template.send(message))).isCompleted();
    }

    @Test
    void refusesANumberThatIsNotFinite() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> text("text").attribute("price", Double.NaN))
                .withMessage("The number of an attribute must be finite, but is NaN; pass it as text");
    }

    private static OutgoingMessage.Builder text(Object payload) {
        return OutgoingMessage.builder("q", payload);
    }

    private static OutgoingMessage.Builder ordered(Object payload) {
        return OutgoingMessage.builder("q.fifo", payload).groupId("g");
    }

    private static Arguments refused(OutgoingMessage.Builder message, String... parts) {
        return Arguments.of(message, List.of(parts));
    }

    private record Ping() {}

    private static final class NoProperty {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    public static final class Bean {

        public @Nullable String getName() {
            return null;
        }
    }

    @Test
    void refusesADeduplicationKeyThatIsMissingOrBroken() {
        BatchSqsTemplate keyed = template(options -> options.deduplication(
                DeduplicationIds.key(message -> message.payload().equals("none") ? null : "not allowed")));
        assertInvalid(keyed.send(inGroup("none").build()), "null");
        assertInvalid(keyed.send(inGroup("text").build()), "deduplication id");
    }

    @Test
    void anErrorWhilePayloadsAreWrittenFailsItsMessageAlone() throws Exception {
        SendResults results = template.sendAll("q", List.of("first", unwritable(), "last"));
        assertThat(results.successful()).hasSize(2);
        assertThat(results.failed()).singleElement().satisfies(each -> assertUnwritable(each.cause()));
        assertUnwritable(failureOf(template.send("q", unwritable())));
        assertThat(events.log).contains("refused " + SendFailedException.CONVERSION_FAILED);
        assertThat(template.bufferedBytes()).isZero();
    }

    /** The call threw, and told nothing of the message that it had sent. */
    @Test
    void aCollectionThatThrowsFailsItsMessageAlone() throws Exception {
        List<String> lazy = new AbstractList<>() {
            @Override
            public String get(int index) {
                throw new NoClassDefFoundError("by a test's wish");
            }

            @Override
            public int size() {
                return 1;
            }
        };
        SendResults results = template.sendAll("q", List.of("first", lazy, "last"));
        assertThat(results.successful()).hasSize(2);
        assertThat(results.failed()).singleElement().satisfies(each -> assertUnwritable(each.cause()));
    }

    private static void assertUnwritable(SendFailedException failure) {
        assertThat(failure.code()).isEqualTo(SendFailedException.CONVERSION_FAILED);
        assertThat(failure)
                .hasMessageContaining("java.lang.NoClassDefFoundError: by a test's wish")
                .hasCauseInstanceOf(NoClassDefFoundError.class);
    }

    @Test
    void anErrorOfADeduplicationIdFailsItsMessageAlone() throws Exception {
        BatchSqsTemplate keyed = template(options -> options.deduplication((message, body) -> {
            if (body.equals("bad")) {
                throw new NoClassDefFoundError("by a test's wish");
            }
            return body;
        }));
        SendResults results = keyed.sendAll(Stream.of("first", "bad", "last")
                .map(each -> inGroup(each).build())
                .toList());
        assertThat(results.successful()).hasSize(2);
        assertThat(results.failed())
                .singleElement()
                .satisfies(each -> assertThat(each.cause().code()).isEqualTo(SendFailedException.INVALID_MESSAGE));
        assertInvalid(keyed.send(inGroup("bad").build()), "deduplication id", "NoClassDefFoundError");
    }

    /** Returns a payload that throws an {@code Error}, which the JSON mapper passes on. */
    private static Object unwritable() {
        return new AbstractMap<String, String>() {
            @Override
            public Set<Entry<String, String>> entrySet() {
                throw new NoClassDefFoundError("by a test's wish");
            }
        };
    }

    @Test
    void refusesAPayloadThatCannotBeWritten() {
        SendFailedException failure = failureOf(template.send("q", new byte[] {(byte) 0xff}));
        assertThat(failure.code()).isEqualTo(SendFailedException.CONVERSION_FAILED);
        assertThat(failure).hasCauseInstanceOf(ConversionException.class);
    }

    private void assertInvalid(CompletableFuture<SendResult> future, String... parts) {
        assertThat(future).isCompletedExceptionally();
        SendFailedException failure = failureOf(future);
        assertThat(failure.code()).isEqualTo(SendFailedException.INVALID_MESSAGE);
        assertThat(failure.retryable()).isFalse();
        assertThat(failure.attempts()).isZero();
        assertThat(failure.delivery()).isEqualTo(SendFailedException.Delivery.NOT_SENT);
        assertThat(failure).hasMessageContainingAll(parts);
    }
}
