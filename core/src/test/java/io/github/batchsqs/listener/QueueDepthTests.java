/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.client.QueueNotFoundException;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.listener.ReceiveGate.Permission;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.SettableTime;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class QueueDepthTests {

    private static final Duration LOOK_UP = Duration.ofSeconds(5);

    private final SettableTime time = new SettableTime();
    private final InMemoryQueueClient client = new InMemoryQueueClient(time);
    private final Queue invoices = client.createQueue("invoices");
    private final QueueDepth depth = new QueueDepth(client, "invoices", time);

    @Test
    void waitsWhileThereAreMoreMessagesAndLooksThemUpEveryFiveSeconds() throws Exception {
        client.put(invoices, "a", "b");
        assertThat(depth.above(2)).isNull();
        client.put(invoices, "c");
        time.advance(LOOK_UP.minusMillis(1));
        assertThat(depth.above(2)).isNull();
        assertThat(client.calls(Operation.ATTRIBUTES)).isEqualTo(1);

        time.advance(Duration.ofMillis(1));

        assertThat(depth.above(2)).isEqualTo("the queue invoices has 3 messages, more than 2");
        assertThat(client.calls(Operation.ATTRIBUTES)).isEqualTo(2);
    }

    @Test
    void aLookUpThatFailsIsNotRepeatedForFiveSeconds() throws Exception {
        client.faults(Faults.failing(Operation.ATTRIBUTES));
        assertThatThrownBy(() -> depth.above(2)).isInstanceOf(QueueCallException.class);
        client.faults(Faults.NONE);
        time.advance(LOOK_UP.minusMillis(1));
        assertThatThrownBy(() -> depth.above(2)).isInstanceOf(QueueCallException.class);
        time.advance(Duration.ofMillis(1));
        assertThat(depth.above(2)).isNull();
    }

    @Test
    void aResolverOfTheApplicationIsToldWhatItLacks() {
        var resolver = (QueueResolver) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {QueueResolver.class}, InvocationHandler::invokeDefault);
        assertThatThrownBy(() -> resolver.depth(invoices))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("cannot count the messages of invoices; implement QueueResolver.depth");
    }

    @Test
    void aQueueThatDoesNotExistIsAFailureOfTheGate() {
        ReceiveGate absent = ReceiveGate.whileQueueHasAtMost(client, "absent", 2);
        assertThatThrownBy(() -> absent.check("orders"))
                .isInstanceOf(QueueNotFoundException.class)
                .hasMessageContaining("absent");
    }

    @Test
    void theGateWaitsForASecondWhileThereAreMoreMessages() throws Exception {
        client.put(invoices, "a");
        assertThat(ReceiveGate.whileQueueHasAtMost(client, "invoices", 1).check("orders"))
                .isEqualTo(Permission.go());
        assertThat(ReceiveGate.whileQueueHasAtMost(client, "invoices", 0).check("orders"))
                .isEqualTo(Permission.waitFor(Duration.ofSeconds(1), "the queue invoices has 1 message, more than 0"));
    }

    @Test
    void theMaximumMustNotBeNegative() {
        assertThatThrownBy(() -> ReceiveGate.whileQueueHasAtMost(client, "invoices", -1))
                .isInstanceOf(InvalidOptionException.class)
                .hasMessageContaining("must be at least 0");
    }
}
