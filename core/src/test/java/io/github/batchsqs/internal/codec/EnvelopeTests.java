/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.SnsNotification;
import io.github.batchsqs.codec.ConversionException;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnvelopeTests {

    private static final String NOTIFICATION = """
            {
              "Type" : "Notification",
              "MessageId" : "m-1",
              "TopicArn" : "arn:aws:sns:eu-central-1:123456789012:orders",
              "Subject" : "an order",
              "Message" : "{\\"id\\":\\"o-1\\"}",
              "Timestamp" : "2026-01-02T03:04:05.678Z",
              "SignatureVersion" : "1",
              "MessageAttributes" : {
                "tenant" : {"Type":"String","Value":"acme"},
                "count" : {"Type":"Number","Value":"3"},
                "key" : {"Type":"Binary","Value":"AQI="}
              }
            }""";

    private static final String EVENT = """
            {"version":"0","id":"e-1","detail-type":"OrderPlaced","source":"shop","account":"123456789012",
             "time":"2026-01-02T03:04:05Z","region":"eu-central-1","resources":["r"],
             "detail": { "id" : "o-1", "price": 1.00, "tags": [{"a":"}"}], "text":"ü€😀" }, "later": {"x": 1}}""";

    @Test
    void aNotificationOfSnsHoldsItsMessageSubjectAndAttributes() {
        SnsNotification<String> notification = Objects.requireNonNull(SnsEnvelope.open(NOTIFICATION));

        assertThat(notification)
                .isEqualTo(new SnsNotification<>(
                        "{\"id\":\"o-1\"}",
                        "an order",
                        Map.of(
                                "tenant", MessageAttribute.string("acme"),
                                "count", MessageAttribute.number(3),
                                "key", MessageAttribute.binary(new byte[] {1, 2})),
                        "arn:aws:sns:eu-central-1:123456789012:orders",
                        "m-1"));
        assertThat(notification).hasToString("SnsNotification[m-1 of arn:aws:sns:eu-central-1:123456789012:orders]");
        assertThat(Envelope.SNS.open(NOTIFICATION).payload()).isEqualTo("{\"id\":\"o-1\"}");
        assertThat(Envelope.SNS.open(NOTIFICATION).attributes()).containsKey("tenant");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"id\":\"o-1\"}",
                "{\"Type\":\"Order\",\"Message\":\"m\"}",
                "{\"nested\":{\"Type\":\"Notification\"}}",
                "[1]",
                "text",
                "{\"id\":",
                "\"Notification\"",
            })
    void whatSnsDeliversRawIsThePayloadItself(String body) {
        assertThat(SnsEnvelope.open(body)).isNull();
        assertThat(Envelope.SNS.open(body)).isEqualTo(new Content(body, Map.of()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"Type\":\"Notification\",\"TopicArn\":\"SECRET\"}",
                "{\"Type\":\"Notification\",\"Message\":{\"SECRET\":1}}",
                "{\"Type\":\"Notification\",\"Message\":\"SECRET\"",
                "{\"Type\":\"SubscriptionConfirmation\",\"TopicArn\":\"SECRET\",\"Message\":\"SECRET\"}",
                "{\"Type\":\"Notification\",\"Message\":\"m\","
                        + "\"MessageAttributes\":{\"a\":{\"Type\":\"Binary\",\"Value\":\"SECRET!\"}}}",
            })
    void aBrokenNotificationIsRefusedWithoutQuotingIt(String body) {
        assertThatExceptionOfType(ConversionException.class)
                .isThrownBy(() -> Envelope.SNS.open(body))
                .withMessageStartingWith("The body cannot be read as an SNS notification: ")
                .withMessageNotContaining("SECRET");
    }

    @Test
    void theDetailOfAnEventIsTakenOutAsItIsWritten() {
        Content content = Envelope.EVENT_BRIDGE.open(EVENT);

        assertThat(content.payload())
                .isEqualTo("{ \"id\" : \"o-1\", \"price\": 1.00, \"tags\": [{\"a\":\"}\"}], \"text\":\"ü€😀\" }");
        assertThat(content.attributes())
                .containsEntry("detail-type", MessageAttribute.string("OrderPlaced"))
                .containsEntry("source", MessageAttribute.string("shop"))
                .containsOnlyKeys("version", "id", "detail-type", "source", "account", "time", "region");
        assertThat(content.toString()).doesNotContain("o-1");
    }

    @Test
    void aDetailBeyondTheParsersBufferIsTakenOutWhole() {
        String detail = "{\"text\":\"" + "0123456789".repeat(50_000) + "\"}";
        String body = "{\"source\":\"s\",\"detail-type\":\"t\",\"resources\":[\"" + "x".repeat(9_000)
                + "\"],\"detail\":" + detail + "}";

        assertThat(Envelope.EVENT_BRIDGE.open(body).payload()).isEqualTo(detail);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SECRET",
                "[]",
                "{\"id\":\"SECRET\"}",
                "{\"source\":\"s\",\"detail-type\":\"t\"}",
                "{\"source\":\"s\",\"detail-type\":\"t\",\"detail\":\"SECRET\"}",
                "{\"source\":\"s\",\"detail\":{}}",
                "{\"source\":\"s\",\"detail-type\":\"t\",\"detail\":{}",
            })
    void whatIsNoEventIsRefusedWithTheRule(String body) {
        assertThatExceptionOfType(ConversionException.class)
                .isThrownBy(() -> Envelope.EVENT_BRIDGE.open(body))
                .withMessageStartingWith(
                        "The body cannot be read as an EventBridge event: it must be a JSON object with")
                .withMessageContaining("payload.envelope: none")
                .withMessageNotContaining("SECRET");
    }

    @Test
    void withoutAnEnvelopeTheBodyIsThePayload() {
        assertThat(Envelope.NONE.open(NOTIFICATION)).isEqualTo(new Content(NOTIFICATION, Map.of()));
    }
}
