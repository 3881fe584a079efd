/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.send.SendFailedException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

class NoPayloadsTests extends TemplateFixture {

    private static final OutgoingMessage MESSAGE = OutgoingMessage.of("q", "text");

    static Stream<Arguments> messages() {
        return Stream.of(
                Arguments.of(MESSAGE, "pass it to send(OutgoingMessage)"),
                Arguments.of(OutgoingMessage.builder("q", "text"), "call build()"),
                Arguments.of(List.of(MESSAGE), "several to sendAll(Collection)"),
                Arguments.of(SendMessageRequest.builder().messageBody("x").build(), "a type of the AWS SDK"),
                Arguments.of(List.of(Message.builder().body("x").build()), "a type of the AWS SDK"),
                Arguments.of(new Object(), "has no property"),
                Arguments.of(new NoProperty(), "has no property"));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void refusesWhatIsNoPayload(Object payload, String remedy) {
        SendFailedException failure = failureOf(template(options -> options).send("q", payload));
        assertThat(failure.code()).isEqualTo(SendFailedException.INVALID_MESSAGE);
        assertThat(failure.delivery()).isEqualTo(SendFailedException.Delivery.NOT_SENT);
        assertThat(failure).hasMessageContaining(remedy);
    }

    @Test
    void refusesANumberThatIsNotFinite() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OutgoingMessage.builder("q", "text").attribute("price", Double.NaN))
                .withMessage("The number of an attribute must be finite, but is NaN; pass it as text");
    }

    @Test
    void takesEmptyContentWhereItMeansSomething() {
        assertThat(NoPayloads.reasonIfEmpty(Map.of(), "{}")).isNull();
        assertThat(NoPayloads.reasonIfEmpty(new Ping(), "{}")).isNull();
        assertThat(NoPayloads.reasonIfEmpty(new Bean(), "{}")).isNull();
        assertThat(NoPayloads.reason("text")).isNull();
        assertThat(NoPayloads.reason(List.of("text"))).isNull();
    }

    private record Ping() {}

    private static final class NoProperty {}

    /** Whose mapper leaves {@code null} out. */
    public static final class Bean {
        public @Nullable String getName() {
            return null;
        }
    }
}
