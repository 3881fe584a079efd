/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.signature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.batchsqs.Acknowledgement;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.Visibility;
import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import io.github.batchsqs.internal.codec.Envelope;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import kotlin.Unit;
import kotlin.coroutines.Continuation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.core.ResolvableType;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.support.GenericMessage;

class SignatureTests {

    private final Acknowledgement acknowledgement = mock();
    private final SqsMessage<Object> first = message(new Order("1"));
    private final SqsMessage<Object> second = message(new Order("2"));
    private final MessageBatch<Object> two = new MessageBatch<>("orders", List.of(first, second), acknowledgement);
    private final MessageBatch<Object> one = new MessageBatch<>("orders", List.of(first), acknowledgement);
    private final Good bean = new Good();

    @ParameterizedTest
    @CsvSource({
        "payloads, false, io.github.batchsqs.autoconfigure.internal.signature.SignatureTests$Order",
        "wildcards, false, io.github.batchsqs.autoconfigure.internal.signature.SignatureTests$Order",
        "messages, false, io.github.batchsqs.autoconfigure.internal.signature.SignatureTests$Order",
        "batch, false, 'java.util.Map<java.lang.String, java.util.List<java.lang.Integer>>'",
        "payload, true, io.github.batchsqs.autoconfigure.internal.signature.SignatureTests$Order",
        "message, true, 'byte[]'",
        "text, true, java.lang.String",
        "lists, false, java.util.List<java.lang.String>",
        "stage, false, java.lang.String",
        "future, false, java.lang.String",
        "suspend, false, io.github.batchsqs.autoconfigure.internal.signature.SignatureTests$Order",
        "suspendForOutcome, true, io.github.batchsqs.autoconfigure.internal.signature.SignatureTests$Order",
    })
    void understands(String name, boolean single, String payloadType) {
        Signature signature = signature(Good.class, name);

        assertThat(signature.single()).isEqualTo(single);
        assertThat(signature.payloadType().getTypeName()).isEqualTo(payloadType);
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
        assertThat(bean.got).isEqualTo(List.of(new Order("1"), new Order("2")));
        call("messages", two);
        assertThat(bean.got).isEqualTo(List.of(first, second));
        call("batch", two);
        assertThat(bean.got).isSameAs(two);
        call("payload", one);
        assertThat(bean.got).isEqualTo(new Order("1"));
        call("message", one);
        assertThat(bean.got).isEqualTo(List.of(acknowledgement, first));
        call("visibility", two);
        assertThat(bean.got).isEqualTo(List.of(two.visibility(), new Order("1")));
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
        "suspendForText, 'its return type, java.lang.String, is not supported'",
        "hidden, it is private or static",
        "common, it is private or static",
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
                                    "List<T>, List<SqsMessage<T>>, MessageBatch<T>", "Acknowledgement", "BatchOutcome");
                });
    }

    @Test
    void runsSuspendFunctions() throws Exception {
        assertThat(call("suspend", two)).isEqualTo(BatchOutcome.done());
        assertThat(bean.got).isEqualTo(List.of(new Order("1"), new Order("2")));
        assertThat(call("suspendForOutcome", one)).isEqualTo(BatchOutcome.retry());
    }

    private BatchOutcome call(String name, MessageBatch<Object> batch) throws Exception {
        return signature(Good.class, name)
                .listener(bean, SpringArguments.of(null, Envelope.NONE))
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

    private static SqsMessage<Object> message(Object payload) {
        SqsMessage<Object> message = mock();
        when(message.payload()).thenReturn(payload);
        return message;
    }

    record Order(String id) {}

    abstract static class Handler<T> {
        void handle(List<T> payloads) {}

        void handlePages(List<Map<String, T>> pages) {}
    }

    static class OrderHandler extends Handler<Order> {}

    @SuppressWarnings({"unused", "EffectivelyPrivate"})
    static class Good {
        @Nullable
        Object got;

        void payloads(List<Order> orders) {
            got = orders;
        }

        void wildcards(List<? extends Order> orders) {}

        void messages(List<SqsMessage<Order>> orders) {
            got = orders;
        }

        void batch(MessageBatch<Map<String, List<Integer>>> batch) {
            got = batch;
        }

        void payload(Order order) {
            got = order;
        }

        void message(Acknowledgement acknowledgement, SqsMessage<byte[]> message) {
            got = List.of(acknowledgement, message);
        }

        void text(String text) {}

        void lists(List<List<String>> lists) {}

        BatchOutcome outcome(List<Order> orders) {
            return BatchOutcome.retry();
        }

        void visibility(Visibility visibility, List<Order> orders) {
            got = List.of(visibility, orders.getFirst());
        }

        CompletableFuture<BatchOutcome> future(List<String> texts) {
            return CompletableFuture.completedFuture(BatchOutcome.retry());
        }

        CompletionStage<Void> stage(List<String> texts) {
            return CompletableFuture.completedStage(null);
        }

        Object suspend(List<Order> orders, Continuation<? super Unit> continuation) {
            got = orders;
            return Unit.INSTANCE;
        }

        Object suspendForOutcome(Order order, Continuation<? super BatchOutcome> continuation) {
            return BatchOutcome.retry();
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

        Object suspendForText(List<Order> orders, Continuation<? super String> continuation) {
            return "";
        }

        private void hidden(List<Order> orders) {}

        static void common(List<Order> orders) {}
    }
}
