/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.pull;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.payload.PayloadStore;
import io.github.batchsqs.payload.PayloadStoreException;
import io.github.batchsqs.pull.PulledMessage;
import io.github.batchsqs.pull.ReceiveRequest;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.Faults.Rejection;
import io.github.batchsqs.testkit.InMemoryPayloadStore;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.Progress;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Messages that a caller receives, and whose payloads are stored outside of SQS. */
class StoredPullTests extends PullFixture {

    private final InMemoryPayloadStore store;
    private final List<String> fetched = new ArrayList<>();

    StoredPullTests() {
        super(new InMemoryPayloadStore());
        store = (InMemoryPayloadStore) Objects.requireNonNull(payloads);
        store.fetches(key -> {
            fetched.add(key);
            return null;
        });
    }

    private void put(String key, String payload) {
        store.objects.put(key, payload);
        sqs.put(
                queue,
                List.of(new SendEntry(
                        key,
                        Map.of(
                                "ExtendedPayloadSize",
                                MessageAttribute.number(payload.length()),
                                "kind",
                                MessageAttribute.string("order")),
                        null,
                        null,
                        null)));
    }

    private PulledMessage<String> receiveOne() throws InterruptedException {
        return receive(request -> request).getFirst();
    }

    @Test
    void theCallerReadsThePayloadAndNotThePointer() throws Exception {
        put("one", "large payload");
        sqs.put(queue, "small");

        var messages = receive(request -> request);

        assertThat(fetched).as("nothing is fetched before it is read").isEmpty();
        assertThat(messages.payloads()).containsExactly("large payload", "small");
        assertThat(messages.getFirst().body()).isEqualTo("large payload");
        assertThat(messages.getFirst().attributes()).containsOnlyKeys("kind");
    }

    /** As in a test of an application, where payloads travel in the messages. */
    @Test
    void aMockOfAStoreDoesNothing() throws Exception {
        sqs.put(queue, "small");
        PayloadStore mock = (PayloadStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {PayloadStore.class}, (proxy, method, arguments) -> null);
        var message = puller(mock)
                .receive(queue, ReceiveRequest.of("q", String.class))
                .getFirst();
        assertThat(message.payload()).isEqualTo("small");
        assertThat(message.body()).isEqualTo("small");
    }

    @Test
    void noPayloadStaysInMemoryByItself() throws Exception {
        put("one", "large payload");

        PulledMessage<String> message = receiveOne();
        String first = message.payload();
        String second = message.payload();

        assertThat(store.open).as("payloads that occupy the store's memory").hasValue(0);
        assertThat(second).isEqualTo(first);
        assertThat(fetched).containsExactly("one", "one");
    }

    @Test
    void theStoreLearnsOfADeleteThatSqsHasAccepted() throws Exception {
        put("one", "large payload");
        put("two", "large too");
        var messages = receive(request -> request);

        var acknowledged = messages.getFirst().acknowledge();
        var released = messages.get(1).release();
        flush();

        assertThat(Progress.done(acknowledged)).isCompleted();
        assertThat(Progress.done(released)).isCompleted();
        assertThat(store.deleted).containsExactly("one");
    }

    @Test
    void theStoreDoesNotLearnOfADeleteThatSqsRefused() throws Exception {
        put("one", "large payload");
        PulledMessage<String> message = receiveOne();
        sqs.faults(Faults.refusing((call, subject) -> call.operation() == Operation.DELETE ? Rejection.INVALID : null));

        var acknowledged = message.acknowledge();
        flush();

        assertThat(Progress.done(acknowledged)).isCompletedExceptionally();
        assertThat(store.deleted).isEmpty();
    }

    @Test
    void aStoreThatFailsForNowIsAskedAgainByTheNextCall() throws Exception {
        put("one", "large payload");
        store.fetches(key -> InMemoryPayloadStore.unavailable());
        PulledMessage<String> message = receiveOne();

        assertThatThrownBy(message::payload)
                .isInstanceOfSatisfying(
                        PayloadStoreException.class,
                        failure -> assertThat(failure.retryable()).isTrue());
        assertThatThrownBy(message::body).isInstanceOf(PayloadStoreException.class);
        store.fetches(key -> null);

        assertThat(message.payload()).isEqualTo("large payload");
        assertThat(store.open).hasValue(0);
    }

    @Test
    void aPayloadThatIsMissingIsNamed() throws Exception {
        put("one", "large payload");
        store.fetches(key -> InMemoryPayloadStore.unreadable());

        assertThatThrownBy(receiveOne()::payload)
                .isInstanceOf(PayloadStoreException.class)
                .hasMessageContaining("the object is missing");
    }
}
