/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.codec.ConversionException;
import io.github.batchsqs.send.DeduplicationIds;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.send.SendResult;
import io.github.batchsqs.send.SendResults;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.AbstractMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the template refuses before it sends anything. */
class RefusedMessagesTests extends TemplateFixture {

    @Test
    void refusesAMessageOverTheLimitAloneAndAtOnce() {
        BatchSqsTemplate small = template(options -> options.maxBatchBytes(2_000));
        assertInvalid(small.send("q", "x".repeat(2_001)), "2001 bytes", "the maximum is 2000B");
        OutgoingMessage message = OutgoingMessage.builder("q", "x".repeat(1_980))
                .attribute("name", "v".repeat(20))
                .build();
        assertInvalid(small.send(message), "2010 bytes");
        assertInvalid(small.send("q", "ä".repeat(1_001)), "2002 bytes");
        assertThat(seam.sizes()).isEmpty();
    }

    @Test
    void refusesAnEmptyBody() {
        assertInvalid(template.send("q", ""), "empty");
    }

    @Test
    void refusesAMissingGroupOnAFifoQueue() {
        assertInvalid(template.send("q.fifo", "text"), "group id");
    }

    @Test
    void refusesADelayOnAFifoQueue() {
        assertInvalid(template.send(inGroup("text").delay(Duration.ZERO).build()), "no delay per message");
    }

    @Test
    void refusesADelayBeyondFifteenMinutes() {
        var message = OutgoingMessage.builder("q", "text");
        assertInvalid(template.send(message.delay(Duration.ofSeconds(901)).build()), "901s");
        assertInvalid(template.send(message.delay(Duration.ofSeconds(-1)).build()), "-1s");
    }

    @Test
    void refusesMoreThanTenAttributes() {
        var message = OutgoingMessage.builder("q", "text");
        for (int i = 0; i < 11; i++) {
            message.attribute("a" + i, i);
        }
        assertInvalid(template.send(message.build()), "11 attributes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".a", "a.", "a..b", "AWS.a", "amazon.a", "a b", "ä"})
    void refusesAttributeNamesThatSqsRefuses(String name) {
        assertInvalid(
                template.send(OutgoingMessage.builder("q", "text")
                        .attribute(name, "value")
                        .build()),
                "must have a name");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ab\ud800", "ab\udc00c", "ab\ud800\ud800", "ab\u0001", "ab\uffff", "ab\ufffe"})
    void refusesBodiesAndAttributesWithCharactersThatSqsRefuses(String text) {
        assertInvalid(template.send("q", text), "The body", "at index 2", "SQS refuses");
        assertInvalid(
                template.send(OutgoingMessage.builder("q", "text")
                        .attribute("name", text)
                        .build()),
                "The attribute 'name'",
                "at index 2");
        assertInvalid(template.send(inGroup(text).build()), "at index 2");
        assertThat(seam.sizes()).isEmpty();
    }

    @Test
    void refusesNoCharacterThatSqsTakes() {
        assertThat(Progress.done(template.send("q", "\t\n\r \ud7ff\ue000\ufffd\ud83d\ude00")))
                .isCompleted();
    }

    @Test
    void refusesAttributesWithoutAValue() {
        var message = OutgoingMessage.builder("q", "text");
        assertInvalid(template.send(message.attribute("a", "").build()), "'a' has no value");
        assertInvalid(template.send(message.attribute("a", new byte[0]).build()), "'a' has no value");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "with space", "ümlaut"})
    void refusesIdsThatSqsRefuses(String id) {
        assertInvalid(
                template.send(OutgoingMessage.builder("q", "text").groupId(id).build()), "group id");
        assertInvalid(template.send(inGroup("text").deduplicationId(id).build()), "deduplication id");
    }

    @Test
    void refusesIdsOfMoreThan128Characters() {
        assertInvalid(
                template.send(OutgoingMessage.builder("q", "text")
                        .groupId("x".repeat(129))
                        .build()),
                "129");
        assertThat(Progress.done(template.send(
                        inGroup("text").deduplicationId("x".repeat(128)).build())))
                .isCompleted();
    }

    @Test
    void refusesADeduplicationIdOnAStandardQueue() {
        assertInvalid(
                template.send(OutgoingMessage.builder("q", "text")
                        .deduplicationId("id")
                        .build()),
                "only for FIFO");
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
        assertThat(failure).hasMessageContainingAll(parts);
    }
}
