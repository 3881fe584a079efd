/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.send.OutgoingMessage;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.expression.spel.SpelEvaluationException;

class MessageExpressionTests {

    private final OutgoingMessage sent = OutgoingMessage.builder("orders.fifo", new Order("17"))
            .groupId("acme")
            .attribute("kind", "placed")
            .attribute("scan", new byte[] {1})
            .build();
    private final SqsMessage<?> received = received();

    @ParameterizedTest
    @CsvSource({
        "payload.id, 17",
        "payload.id() + '-' + groupId, 17-acme",
        "queue, orders.fifo",
        "attributes.kind, placed",
        "attributes['scan'],"
    })
    void findsTheSameInAMessageThatIsSentAndInOneThatWasReceived(String expression, String value) {
        assertThat(MessageExpression.ofSent("the.key", expression).valueIn(sent))
                .isEqualTo(value);
        assertThat(MessageExpression.ofReceived("the.key", expression).valueIn(received))
                .isEqualTo(value);
    }

    @Test
    void findsAMessageIdOnlyInAMessageThatWasReceived() {
        assertThat(MessageExpression.ofReceived("the.key", "messageId").valueIn(received))
                .isEqualTo("m-1");
        assertThatExceptionOfType(SpelEvaluationException.class)
                .isThrownBy(
                        () -> MessageExpression.ofSent("the.key", "messageId").valueIn(sent));
    }

    @Test
    void namesNoTypes() {
        assertThatExceptionOfType(SpelEvaluationException.class)
                .isThrownBy(() -> MessageExpression.ofReceived("the.key", "T(java.lang.Runtime).runtime")
                        .valueIn(received));
    }

    @Test
    void thatCannotBeReadIsRefusedWithItsKeyAndWhatItMayName() {
        assertThatExceptionOfType(InvalidOptionException.class)
                .isThrownBy(() -> MessageExpression.ofSent("the.key", "payload."))
                .withMessageContainingAll("the.key", "(payload, groupId, queue, attributes)", "payload.orderId");
        assertThatExceptionOfType(InvalidOptionException.class)
                .isThrownBy(() -> MessageExpression.ofReceived("the.key", "payload."))
                .withMessageContaining("(payload, messageId, groupId, queue, attributes)");
    }

    @SuppressWarnings("unchecked") // of a mock
    private static SqsMessage<?> received() {
        SqsMessage<Object> message = mock(SqsMessage.class);
        when(message.payload()).thenReturn(new Order("17"));
        when(message.id()).thenReturn("m-1");
        when(message.queue()).thenReturn("orders.fifo");
        when(message.groupId()).thenReturn("acme");
        when(message.attributes())
                .thenReturn(Map.of(
                        "kind", MessageAttribute.string("placed"), "scan", MessageAttribute.binary(new byte[] {1})));
        return message;
    }

    /** A payload. */
    public record Order(String id) {}
}
