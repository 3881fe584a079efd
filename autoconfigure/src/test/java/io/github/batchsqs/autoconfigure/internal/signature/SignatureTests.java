/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.signature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.awspring.cloud.sqs.annotation.SnsNotificationMessage;
import io.awspring.cloud.sqs.annotation.SnsNotificationSubject;
import io.github.batchsqs.Acknowledgement;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.SnsNotification;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.Visibility;
import io.github.batchsqs.annotation.SnsPayload;
import io.github.batchsqs.annotation.SnsSubject;
import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import io.github.batchsqs.codec.ConversionException;
import io.github.batchsqs.internal.codec.Envelope;
import jakarta.validation.Valid;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
import org.springframework.messaging.support.GenericMessage;
import org.springframework.validation.BindingResult;
import org.springframework.validation.Errors;
import org.springframework.validation.FieldError;
import org.springframework.validation.SmartValidator;
import org.springframework.validation.annotation.Validated;

/** What handler methods may take and return, what their arguments get, and what is refused. */
class SignatureTests {

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
        "payloads, false, io.github.batchsqs.autoconfigure.internal.signature.SignatureTests$Order, false",
        "wildcards, false, io.github.batchsqs.autoconfigure.internal.signature.SignatureTests$Order, false",
        "messages, false, io.github.batchsqs.autoconfigure.internal.signature.SignatureTests$Order, false",
        "batch, false, 'java.util.Map<java.lang.String, java.util.List<java.lang.Integer>>', false",
        "payload, true, io.github.batchsqs.autoconfigure.internal.signature.SignatureTests$Order, false",
        "message, true, 'byte[]', false",
        "text, true, java.lang.String, false",
        "lists, false, java.util.List<java.lang.String>, false",
        "stage, false, java.lang.String, false",
        "future, false, java.lang.String, false",
        "springMessages, false, io.github.batchsqs.autoconfigure.internal.signature.SignatureTests$Order, false",
        "springMessage, true, io.github.batchsqs.autoconfigure.internal.signature.SignatureTests$Order, false",
        "sdkBatch, false, java.lang.String, false",
        "sdkMessage, true, java.lang.String, false",
        "sdkBeside, false, io.github.batchsqs.autoconfigure.internal.signature.SignatureTests$Order, false",
        "notifications, false, 'io.github.batchsqs.SnsNotification<java.util.List<java.lang.String>>', true",
        "snsPayloads, false, io.github.batchsqs.autoconfigure.internal.signature.SignatureTests$Order, true",
        "snsMessages, false, io.github.batchsqs.autoconfigure.internal.signature.SignatureTests$Order, true",
        "snsSubject, true, io.github.batchsqs.autoconfigure.internal.signature.SignatureTests$Order, true",
        "awspringSns, true, io.github.batchsqs.autoconfigure.internal.signature.SignatureTests$Order, true",
    })
    void understands(String name, boolean single, String payloadType, boolean sns) {
        Signature signature = signature(Good.class, name);

        assertThat(signature.single()).isEqualTo(single);
        assertThat(signature.payloadType().getTypeName()).isEqualTo(payloadType);
        assertThat(signature.sns()).isEqualTo(sns);
    }

    @Test
    void resolvesTypeVariablesByTheClassOfTheBean() {
        assertThat(signature(OrderHandler.class, "handle").payloadType()).isEqualTo(Order.class);
        assertThat(signature(OrderHandler.class, "handlePages").payloadType().getTypeName())
                .isEqualTo("java.util.Map<java.lang.String, " + Order.class.getName() + ">");
    }

    @Test
    void givesEachParameterItsArgument() throws Exception {
        assertThat(call("payloads", two)).isEqualTo(BatchOutcome.done());
        assertThat(bean.got).containsExactly(new Order("1"), new Order("1"));
        call("messages", two);
        assertThat(bean.got).containsExactly(message, message);
        call("batch", two);
        assertThat(bean.got).containsExactly(two);
        call("payload", one);
        assertThat(bean.got).containsExactly(new Order("1"));
        call("message", one);
        assertThat(bean.got).containsExactly(acknowledgement, message);
        call("visibility", two);
        assertThat(bean.got).containsExactly(two.visibility(), new Order("1"));
    }

    @Test
    void returnsTheOutcome() throws Exception {
        assertThat(call("outcome", two)).isEqualTo(BatchOutcome.retry());
        assertThat(call("future", two)).isEqualTo(BatchOutcome.retry());
        assertThat(call("stage", two)).isEqualTo(BatchOutcome.done());
    }

    @Test
    void throwsWhatTheMethodThrew() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> call("throwing", two))
                .withMessage("no");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> call("failedStage", two))
                .withMessage("late");
        assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> call("error", two));
    }

    @Test
    void takesNoNullForAnOutcome() {
        assertThatIllegalStateException().isThrownBy(() -> call("nothing", two)).withMessageContaining("BatchOutcome");
        assertThatIllegalStateException()
                .isThrownBy(() -> call("noStage", two))
                .withMessageContaining("CompletionStage");
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
    @ValueSource(strings = {"payloads", "messages", "batch", "payload", "message"})
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
        Consumer<Object> validation = signature(Good.class, name).validation(RejectsNegative::new);

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
        signature(Good.class, "validated").validation(() -> validator).accept(new Order("1"));
        assertThat(validator.hints).containsExactly(Strict.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"springMessages", "sdkMessage"})
    void withoutAnAnnotationNothingIsValidated(String name) {
        signature(Good.class, name)
                .validation(() -> {
                    throw new AssertionError("no validator is needed");
                })
                .accept(new Order("-SECRET"));
    }

    @ParameterizedTest
    @CsvSource({
        "none, none of its parameters takes messages",
        "acknowledgementOnly, none of its parameters takes messages",
        "two, '2 of its parameters take messages, but only one may: parameter 1 (List orders), parameter 2 (Order order). Annotate a message attribute with @Header, or take SqsMessage, whose attributes() contain it'",
        "withTenant, 'parameter 1 (Order order), parameter 2 (String tenant). Annotate a message attribute with @Header, or take SqsMessage, whose attributes() contain it'",
        "twoAcknowledgements, it has more than one Acknowledgement",
        "object, 'parameter 1, java.lang.Object, does not say which type the payload has'",
        "raw, 'parameter 1, java.util.List<?>, does not say which type the payload has'",
        "unknown, 'parameter 1, java.util.List<?>, does not say which type the payload has'",
        "rawMessage, does not say which type the payload has",
        "collection, is ambiguous: take List<T> for a batch",
        "stream, is ambiguous: take List<T> for a batch",
        "array, is ambiguous: take List<T> for a batch",
        "arrayList, is ambiguous: take List<T> for a batch",
        "springMessage, is not supported here",
        "header, none of its parameters takes messages",
        "optional, is no payload type",
        "returnsText, 'its return type, java.lang.String, is not supported'",
        "returnsStageOfText, 'its return type, java.util.concurrent.CompletionStage<java.lang.String>, is not supported'",
        "returnsRawStage, is not supported",
        "hidden, it is private or static",
        "common, it is private or static",
        "headerOfABatch, 'parameter 2 is about one message, and parameter 1 takes a batch: take one message, or a List of"
                + " SqsMessage, which have attributes'",
        "headersOfABatch, 'parameter 1 is about one message, and parameter 2 takes a batch: take one message, or a List of"
                + " SqsMessage, which have attributes'",
        "sdkMessageOfABatch, 'parameter 2 is about one message, and parameter 1 takes a batch: take one message, or a List"
                + " of SqsMessage, which have attributes'",
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
                    assertThat(refused.problem())
                            .startsWith("The method " + Bad.class.getName() + "." + name + "(")
                            .contains("cannot be a listener: ")
                            .endsWith(why + ".");
                    assertThat(refused.remedy())
                            .contains(
                                    "List<T>, List<SqsMessage<T>>, MessageBatch<T>",
                                    "Acknowledgement",
                                    "BatchOutcome",
                                    "@Header",
                                    "@SnsSubject",
                                    "MessageHeaders");
                });
    }

    private BatchOutcome call(String name, MessageBatch<Object> batch) throws Exception {
        var beans = new DefaultListableBeanFactory();
        beans.setBeanExpressionResolver(new StandardBeanExpressionResolver());
        return signature(Good.class, name)
                .listener(bean, SpringArguments.of(beans, Envelope.NONE))
                .onBatch(batch);
    }

    private static Signature signature(Class<?> type, String name) {
        return Signature.of(method(type, name), ResolvableType.forClass(type));
    }

    private static Method method(Class<?> type, String name) {
        return Stream.of(type, type.getSuperclass())
                .flatMap(each -> Stream.of(each.getDeclaredMethods()))
                .filter(method -> method.getName().equals(name))
                .findFirst()
                .orElseThrow();
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

    abstract static class Handler<T> {
        void handle(List<T> payloads) {}

        void handlePages(List<Map<String, T>> pages) {}
    }

    static class OrderHandler extends Handler<Order> {}

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

    @SuppressWarnings({"unused", "EffectivelyPrivate"})
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

        void missing(Order order, @Header("absent") String absent) {}

        void unconvertible(Order order, @Header("tenant") int tenant) {}

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

        void payloads(List<Order> orders) {
            got = List.copyOf(orders);
        }

        void wildcards(List<? extends Order> orders) {}

        void messages(List<SqsMessage<Order>> orders) {
            got = List.copyOf(orders);
        }

        void batch(MessageBatch<Map<String, List<Integer>>> batch) {
            got(batch);
        }

        void payload(Order order) {
            got(order);
        }

        void message(Acknowledgement acknowledgement, SqsMessage<byte[]> message) {
            got(acknowledgement, message);
        }

        void text(String text) {}

        void lists(List<List<String>> lists) {}

        BatchOutcome outcome(List<Order> orders) {
            return BatchOutcome.retry();
        }

        void visibility(Visibility visibility, List<Order> orders) {
            got(visibility, orders.getFirst());
        }

        CompletableFuture<BatchOutcome> future(List<String> texts) {
            return CompletableFuture.completedFuture(BatchOutcome.retry());
        }

        CompletionStage<Void> stage(List<String> texts) {
            return CompletableFuture.completedStage(null);
        }

        void throwing(List<Order> orders) {
            throw new IllegalArgumentException("no");
        }

        void error(List<Order> orders) {
            throw new StackOverflowError();
        }

        CompletionStage<Void> failedStage(List<Order> orders) {
            return CompletableFuture.failedStage(new IllegalArgumentException("late"));
        }

        @Nullable
        BatchOutcome nothing(List<Order> orders) {
            return null;
        }

        @Nullable
        CompletionStage<Void> noStage(List<Order> orders) {
            return null;
        }
    }

    @SuppressWarnings({"unused", "rawtypes", "UnusedMethod", "UnusedVariable", "NonApiType"})
    static class Bad {
        void headerOfABatch(List<Order> orders, @Header("tenant") String tenant) {}

        void headersOfABatch(MessageHeaders headers, List<Order> orders) {}

        void sdkMessageOfABatch(List<Order> orders, software.amazon.awssdk.services.sqs.model.Message message) {}

        void headersAlone(@Headers Map<String, Object> headers) {}

        void expression(@Payload("id") Order order) {}

        void snsWithoutPayload(@SnsPayload List<software.amazon.awssdk.services.sqs.model.Message> messages) {}

        void destination(@DestinationVariable("id") Order order) {}

        void typeOfAwspring(List<io.awspring.cloud.sqs.support.converter.SnsNotification<Order>> notifications) {}

        void acknowledgementOfAwspring(
                Order order, io.awspring.cloud.sqs.listener.acknowledgement.Acknowledgement acknowledgement) {}

        void visibilityOfAwspring(Order order, io.awspring.cloud.sqs.listener.Visibility visibility) {}

        void subjectAsNumber(Order order, @SnsSubject int subject) {}

        void rawNotification(SnsNotification notification) {}

        void unknownNotification(List<SnsNotification<?>> notifications) {}

        void none() {}

        void acknowledgementOnly(Acknowledgement acknowledgement) {}

        void two(List<Order> orders, Order order) {}

        void withTenant(Order order, String tenant) {}

        void twoAcknowledgements(List<Order> orders, Acknowledgement one, Acknowledgement another) {}

        void object(Object object) {}

        void raw(List list) {}

        void unknown(List<?> list) {}

        void rawMessage(SqsMessage message) {}

        void collection(Collection<Order> orders) {}

        void stream(Stream<Order> orders) {}

        void array(Order[] orders) {}

        void arrayList(ArrayList<Order> orders) {}

        void springMessage(GenericMessage<Order> message) {}

        void header(@Header("id") String id) {}

        void optional(Optional<Order> order) {}

        String returnsText(List<Order> orders) {
            return "";
        }

        CompletionStage<String> returnsStageOfText(List<Order> orders) {
            return CompletableFuture.completedStage("");
        }

        CompletionStage returnsRawStage(List<Order> orders) {
            return CompletableFuture.completedStage("");
        }

        private void hidden(List<Order> orders) {}

        static void common(List<Order> orders) {}
    }
}
