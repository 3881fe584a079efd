/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.errors.InvalidOptionException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.expression.spel.SpelEvaluationException;

class MessageExpressionTests {

    private final SqsMessage<?> received = received();

    @ParameterizedTest
    @CsvSource({
        "messageId, m-1",
        "payload.id, 17",
        "payload.id() + '-' + groupId, 17-acme",
        "queue, orders.fifo",
        "attributes.kind, placed",
        "attributes['scan'],"
    })
    void findsAValueInAMessage(String expression, String value) {
        assertThat(new MessageExpression("the.key", expression).valueIn(received))
                .isEqualTo(value);
    }

    @Test
    void namesNoTypes() {
        assertThatExceptionOfType(SpelEvaluationException.class)
                .isThrownBy(() -> new MessageExpression("the.key", "T(java.lang.Runtime).runtime").valueIn(received));
    }

    @Test
    void thatCannotBeReadIsRefusedWithItsKeyAndWhatItMayName() {
        assertThatExceptionOfType(InvalidOptionException.class)
                .isThrownBy(() -> new MessageExpression("the.key", "payload."))
                .withMessageContainingAll(
                        "the.key", "(payload, messageId, groupId, queue, attributes)", "payload.orderId");
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
