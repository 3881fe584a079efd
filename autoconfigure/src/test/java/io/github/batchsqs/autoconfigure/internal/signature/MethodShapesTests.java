/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.signature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.awspring.cloud.sqs.annotation.SnsNotificationMessage;
import io.awspring.cloud.sqs.annotation.SnsNotificationSubject;
import io.awspring.cloud.sqs.listener.Visibility;
import io.github.batchsqs.Acknowledgement;
import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.SnsNotification;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.annotation.SnsPayload;
import io.github.batchsqs.annotation.SnsSubject;
import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import io.github.batchsqs.codec.ConversionException;
import io.github.batchsqs.internal.codec.Envelope;
import jakarta.validation.Valid;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.assertj.core.util.Throwables;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.expression.StandardBeanExpressionResolver;
import org.springframework.core.ResolvableType;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHandlingException;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.handler.annotation.DestinationVariable;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.validation.BindingResult;
import org.springframework.validation.Errors;
import org.springframework.validation.FieldError;
import org.springframework.validation.SmartValidator;
import org.springframework.validation.annotation.Validated;

/** What arguments of Spring Messaging, the SDK and SNS get, and what they are refused beside. */
class MethodShapesTests {

    private static final String ID = "3f1b2c4d-0000-4000-8000-000000000001";
    private static final String NOTIFICATION =
            "{\"Type\":\"Notification\",\"Subject\":\"hello\",\"Message\":\"SECRET\","
                    + "\"MessageAttributes\":{\"origin\":{\"Type\":\"String\",\"Value\":\"topic\"}}}";

    private final Acknowledgement acknowledgement = mock();
    private final software.amazon.awssdk.services.sqs.model.Message sdkMessage =
            software.amazon.awssdk.services.sqs.model.Message.builder()
                    .messageId(ID)
                    .build();
    private final SqsMessage<Object> message = message();
    private final MessageBatch<Object> one = new MessageBatch<>("orders", List.of(message), acknowledgement);
    private final MessageBatch<Object> two = new MessageBatch<>("orders", List.of(message, message), acknowledgement);
    private final Good bean = new Good();

    @ParameterizedTest
    @CsvSource({
        "springMessages, false, io.github.batchsqs.autoconfigure.internal.signature.MethodShapesTests$Order",
        "springMessage, true, io.github.batchsqs.autoconfigure.internal.signature.MethodShapesTests$Order",
        "headers, true, io.github.batchsqs.autoconfigure.internal.signature.MethodShapesTests$Order",
        "sdkBatch, false, java.lang.String",
        "sdkMessage, true, java.lang.String",
        "sdkBeside, false, io.github.batchsqs.autoconfigure.internal.signature.MethodShapesTests$Order",
        "notifications, false, 'io.github.batchsqs.SnsNotification<java.util.List<java.lang.String>>'",
    })
    void understands(String name, boolean single, String payloadType) {
        Signature signature = signature(Good.class, name);

        assertThat(signature.single()).isEqualTo(single);
        assertThat(signature.payloadType().getTypeName()).isEqualTo(payloadType);
    }

    @ParameterizedTest
    @CsvSource({
        "notifications, true",
        "snsPayloads, true",
        "snsMessages, true",
        "snsSubject, true",
        "awspringSns, true",
        "springMessages, false",
        "sdkMessage, false",
    })
    void knowsWhetherPayloadsComeFromSns(String name, boolean sns) {
        assertThat(signature(Good.class, name).sns()).isEqualTo(sns);
    }

    @Test
    void aSpringMessageHasTheHeaderNamesOfSpringCloudAws() throws Exception {
        call("springMessage", one);

        Message<?> got = (Message<?>) bean.got.getFirst();
        assertThat(got.getPayload()).isEqualTo(new Order("1"));
        assertThat(got.getHeaders())
                .containsEntry(MessageHeaders.ID, UUID.fromString(ID))
                .containsEntry(MessageHeaders.TIMESTAMP, 1_000L)
                .containsEntry("tenant", "acme")
                .containsEntry("count", 3)
                .containsEntry("price", new BigDecimal("1.50"))
                .containsEntry("strange", "x")
                .containsEntry("key", new byte[] {1})
                .containsEntry("Sqs_QueueName", "orders")
                .containsEntry("Sqs_ReceiptHandle", "handle")
                .containsEntry("Sqs_RawMessageId", ID)
                .containsEntry("Sqs_SourceData", sdkMessage)
                .containsEntry("Sqs_Msa_ApproximateReceiveCount", "2")
                .hasSize(12);
        assertThat(got.getHeaders()).isSameAs(got.getHeaders());
        assertThat(got).hasToString("Message[" + ID + " from orders]");
    }

    @Test
    void aBatchOfSpringMessagesIsInOrder() throws Exception {
        call("springMessages", two);

        assertThat(bean.got)
                .hasSize(2)
                .allSatisfy(got -> assertThat(((Message<?>) got).getPayload()).isEqualTo(new Order("1")));
    }

    @Test
    void headersAreConvertedAndHaveDefaults() throws Exception {
        call("headers", one);

        assertThat(bean.got.subList(0, 6)).containsExactly(new Order("1"), "acme", 3L, 2, "from-settings", null);
        assertThat(bean.got.get(6)).isSameAs(bean.got.get(7));
        assertThat(bean.got.get(8)).isEqualTo(acknowledgement);
    }

    @Test
    void aHeaderThatIsMissingIsNamedWithoutQuotingThePayload() {
        assertThatExceptionOfType(MessageHandlingException.class)
                .isThrownBy(() -> call("missing", one))
                .withMessageContaining("Missing header 'absent'")
                .satisfies(thrown ->
                        assertThat(thrown.toString()).doesNotContain("Order[").doesNotContain("SECRET"));
    }

    @Test
    void aHeaderThatCannotBeConvertedIsNamedWithoutItsValue() {
        assertThatExceptionOfType(ConversionException.class)
                .isThrownBy(() -> call("unconvertible", one))
                .withMessage("The header tenant cannot be read as int")
                .satisfies(thrown -> assertThat(Throwables.getStackTrace(thrown))
                        .contains("ConversionFailedException")
                        .doesNotContain("acme"));
    }

    @Test
    void annotationsMayStandOnTheInterfaceOfTheBean() throws Exception {
        var method = ThroughAnInterface.class.getDeclaredMethod("take", Order.class, String.class);
        var taker = new ThroughAnInterface();
        Signature.of(method, ResolvableType.forClass(ThroughAnInterface.class))
                .listener(taker, SpringArguments.of(null, Envelope.NONE))
                .onBatch(one);

        assertThat(taker.tenant).isEqualTo("acme");
    }

    @ParameterizedTest
    @ValueSource(strings = {"plainBatch", "plainMessages", "plainWhole", "plainPayload", "plainMessage"})
    void plainShapesMakeNoSpringMessageAndLookAtNoAttribute(String name) throws Exception {
        call(name, one);

        verify(message, never()).attributes();
        verify(message, never()).systemAttributes();
        verify(message, never()).nativeMessage();
    }

    @Test
    void messagesOfTheSdkStandAloneOrBesideThePayloads() throws Exception {
        call("sdkBatch", two);
        assertThat(bean.got).containsExactly(sdkMessage, sdkMessage);
        call("sdkMessage", one);
        assertThat(bean.got).containsExactly(sdkMessage);
        call("sdkBeside", two);
        assertThat(bean.got).containsExactly(new Order("1"), new Order("1"), sdkMessage, sdkMessage);
    }

    @Test
    void theSubjectOfANotificationStandsBesideThePayload() throws Exception {
        when(message.body()).thenReturn(NOTIFICATION);
        call("snsSubject", one);
        assertThat(bean.got).containsExactly(new Order("1"), "hello");
        call("awspringSns", one);
        assertThat(bean.got).containsExactly(new Order("1"), "hello");

        when(message.body()).thenReturn("{\"id\":\"1\"}");
        call("snsSubject", one);
        assertThat(bean.got).containsExactly(new Order("1"), null);
    }

    @Test
    void attributesOfTheEnvelopeAreHeadersToo() throws Exception {
        when(message.body()).thenReturn(NOTIFICATION);
        signature(Good.class, "springMessage")
                .listener(bean, SpringArguments.of(null, Envelope.SNS))
                .onBatch(one);

        assertThat(((Message<?>) bean.got.getFirst()).getHeaders())
                .containsEntry("origin", "topic")
                .containsEntry("tenant", "acme");
    }

    @ParameterizedTest
    @CsvSource({"valid", "validElements", "validElement", "validInMessages", "validated", "validMessages"})
    void anInvalidPayloadIsRefusedInWordsThatDoNotQuoteIt(String name) {
        Consumer<Object> validation =
                Objects.requireNonNull(signature(Good.class, name).validation(RejectsNegative::new));

        validation.accept(new Order("1"));
        validation.accept(new SnsNotification<>(new Order("1"), null, Map.of(), null, null));
        assertThatExceptionOfType(ConversionException.class)
                .isThrownBy(() -> validation.accept(new Order("-SECRET")))
                .withMessage("The payload breaks the rules of " + Order.class.getName()
                        + ": id must not be negative, lines[*].count is too small, rejected as a whole")
                .satisfies(thrown -> assertThat(thrown.toString()).doesNotContain("SECRET"));
    }

    @Test
    void validationGroupsReachTheValidator() {
        var validator = new RejectsNegative();
        Objects.requireNonNull(signature(Good.class, "validated").validation(() -> validator))
                .accept(new Order("1"));
        assertThat(validator.hints).containsExactly(Strict.class);
    }

    @Test
    void withoutAnAnnotationNothingIsValidated() {
        assertThat(signature(Good.class, "springMessages").validation(RejectsNegative::new))
                .isNull();
        assertThat(signature(Good.class, "sdkMessage").validation(RejectsNegative::new))
                .isNull();
    }

    @Test
    void validationWithoutAValidatorIsRefused() {
        assertThatExceptionOfType(SetupException.class)
                .isThrownBy(() -> signature(Good.class, "valid").validation(() -> null))
                .withMessageContaining("but there is no Validator bean")
                .withMessageContaining("spring-boot-starter-validation");
    }

    @ParameterizedTest
    @CsvSource({
        "headerOfABatch, 'parameter 2 is about one message, and parameter 1 takes a batch: take one message, or a List of"
                + " SqsMessage, which have attributes'",
        "headersOfABatch, 'parameter 1 is about one message, and parameter 2 takes a batch: take one message, or a List of"
                + " SqsMessage, which have attributes'",
        "sdkMessageOfABatch, 'parameter 2 is about one message, and parameter 1 takes a batch: take one message, or a List"
                + " of SqsMessage, which have attributes'",
        "forgotHeader, 'Annotate a message attribute with @Header, or take SqsMessage, whose attributes() contain it'",
        "headersAlone, none of its parameters takes messages",
        "expression, 'get out of it in the method what you need'",
        "snsWithoutPayload, 'is annotated with @SnsPayload, but takes no payload'",
        "destination, 'is annotated with @DestinationVariable, which is not supported here'",
        "typeOfAwspring, 'is of Spring Cloud AWS: take io.github.batchsqs.SnsNotification'",
        "acknowledgementOfAwspring, 'is of Spring Cloud AWS: take io.github.batchsqs.Acknowledgement'",
        "visibilityOfAwspring, 'is of Spring Cloud AWS: take io.github.batchsqs.Visibility'",
        "subjectAsNumber, 'is the subject of a notification, which is a String'",
        "rawNotification, 'does not say which type the payload has'",
        "unknownNotification, 'does not say which type the payload has'",
    })
    void refuses(String name, String why) {
        assertThatExceptionOfType(SetupException.class)
                .isThrownBy(() -> signature(Bad.class, name))
                .satisfies(refused -> {
                    assertThat(refused.problem()).endsWith(why + ".");
                    assertThat(refused.remedy()).contains("@Header", "@SnsSubject", "MessageHeaders");
                });
    }

    private void call(String name, MessageBatch<Object> batch) throws Exception {
        var beans = new DefaultListableBeanFactory();
        beans.setBeanExpressionResolver(new StandardBeanExpressionResolver());
        beans.addEmbeddedValueResolver(text -> text.replace("${my.default}", "from-settings"));
        signature(Good.class, name)
                .listener(bean, SpringArguments.of(beans, Envelope.NONE))
                .onBatch(batch);
    }

    private static Signature signature(Class<?> type, String name) {
        return Signature.of(
                Stream.of(type.getDeclaredMethods())
                        .filter(method -> method.getName().equals(name))
                        .findFirst()
                        .orElseThrow(),
                ResolvableType.forClass(type));
    }

    private SqsMessage<Object> message() {
        SqsMessage<Object> made = mock();
        when(made.payload()).thenReturn(new Order("1"));
        when(made.id()).thenReturn(ID);
        when(made.queue()).thenReturn("orders");
        when(made.receiptHandle()).thenReturn("handle");
        when(made.sentAt()).thenReturn(Instant.ofEpochMilli(1_000));
        when(made.nativeMessage()).thenReturn(sdkMessage);
        when(made.systemAttributes()).thenReturn(Map.of("ApproximateReceiveCount", "2"));
        when(made.attributes())
                .thenReturn(Map.of(
                        "tenant", MessageAttribute.string("acme"),
                        "count", MessageAttribute.text("Number.java.lang.Integer", "3"),
                        "price", MessageAttribute.text("Number", "1.50"),
                        "strange", MessageAttribute.text("Number.int", "x"),
                        "key", MessageAttribute.binary(new byte[] {1})));
        return made;
    }

    record Order(String id) {}

    interface Strict {}

    interface Taker {
        void take(Order order, @Header("tenant") String value);
    }

    static final class ThroughAnInterface implements Taker {
        @Nullable
        String tenant;

        @Override
        public void take(Order order, String value) {
            tenant = value;
        }
    }

    static final class RejectsNegative implements SmartValidator {
        Object[] hints = {};

        @Override
        public boolean supports(Class<?> type) {
            return type == Order.class;
        }

        @Override
        public void validate(Object target, Errors errors) {
            if (((Order) target).id().startsWith("-")) {
                errors.rejectValue("id", "negative", "must not be negative");
                errors.reject("whole", "rejected as a whole");
                ((BindingResult) errors).addError(new FieldError("order", "lines[SECRET].count", "is too small"));
            }
        }

        @Override
        public void validate(Object target, Errors errors, Object... validationHints) {
            hints = validationHints.clone();
            validate(target, errors);
        }
    }

    @SuppressWarnings("unused")
    static class Good {
        List<@Nullable Object> got = List.of();

        private void got(@Nullable Object... values) {
            got = Arrays.asList(values);
        }

        void springMessages(List<Message<Order>> orders) {
            got = List.copyOf(orders);
        }

        void springMessage(Message<Order> order) {
            got(order);
        }

        void headers(
                @Payload Order order,
                @Header String tenant,
                @Header("count") long count,
                @Header("Sqs_Msa_ApproximateReceiveCount") int receives,
                @Header(name = "absent", defaultValue = "${my.default}") String defaulted,
                @Header(name = "absent", required = false) @Nullable String absent,
                @Headers Map<String, Object> map,
                MessageHeaders headers,
                Acknowledgement acknowledgement) {
            got(order, tenant, count, receives, defaulted, absent, map, headers, acknowledgement);
        }

        void missing(Order order, @Header("absent") String absent) {}

        void unconvertible(Order order, @Header("tenant") int tenant) {}

        void plainBatch(List<Order> orders) {}

        void plainMessages(List<SqsMessage<Order>> orders) {}

        void plainWhole(MessageBatch<Order> orders) {}

        void plainPayload(Order order) {}

        void plainMessage(SqsMessage<Order> order) {}

        void sdkBatch(List<software.amazon.awssdk.services.sqs.model.Message> messages) {
            got = List.copyOf(messages);
        }

        void sdkMessage(software.amazon.awssdk.services.sqs.model.Message message) {
            got(message);
        }

        void sdkBeside(List<Order> orders, List<software.amazon.awssdk.services.sqs.model.Message> messages) {
            got = new ArrayList<>(orders);
            got.addAll(messages);
        }

        void notifications(List<SnsNotification<List<String>>> notifications) {}

        void snsPayloads(@SnsPayload List<Order> orders) {}

        void snsMessages(@SnsPayload List<SqsMessage<Order>> orders) {}

        void snsSubject(@SnsPayload Order order, @SnsSubject @Nullable String subject) {
            got(order, subject);
        }

        void awspringSns(@SnsNotificationMessage Order order, @SnsNotificationSubject String subject) {
            got(order, subject);
        }

        void valid(@Valid Order order) {}

        void validElements(@Valid List<Order> orders) {}

        void validElement(List<@Valid Order> orders) {}

        void validInMessages(List<SqsMessage<@Valid Order>> orders) {}

        void validated(@Payload @Validated(Strict.class) Order order) {}

        void validMessages(@Valid MessageBatch<Order> orders) {}
    }

    @SuppressWarnings({"unused", "rawtypes"})
    static class Bad {
        void headerOfABatch(List<Order> orders, @Header("tenant") String tenant) {}

        void headersOfABatch(MessageHeaders headers, List<Order> orders) {}

        void sdkMessageOfABatch(List<Order> orders, software.amazon.awssdk.services.sqs.model.Message message) {}

        void forgotHeader(Order order, String tenant) {}

        void headersAlone(@Headers Map<String, Object> headers) {}

        void expression(@Payload("id") Order order) {}

        void snsWithoutPayload(@SnsPayload List<software.amazon.awssdk.services.sqs.model.Message> messages) {}

        void destination(@DestinationVariable("id") Order order) {}

        void typeOfAwspring(List<io.awspring.cloud.sqs.support.converter.SnsNotification<Order>> notifications) {}

        void acknowledgementOfAwspring(
                Order order, io.awspring.cloud.sqs.listener.acknowledgement.Acknowledgement acknowledgement) {}

        void visibilityOfAwspring(Order order, Visibility visibility) {}

        void subjectAsNumber(Order order, @SnsSubject int subject) {}

        void rawNotification(SnsNotification notification) {}

        void unknownNotification(List<SnsNotification<?>> notifications) {}
    }
}
