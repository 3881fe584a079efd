/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.client.QueueNotFoundException;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ReceiveGate;
import io.github.batchsqs.listener.ReceiveGate.Permission;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.SettableTime;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class DownstreamGateTests extends ContainerFixture {

    private static final Duration LOOK_UP = Duration.ofSeconds(5);

    private final Queue invoices = client.createQueue("invoices");
    private final SettableTime time = new SettableTime();
    private final ReceiveGate gate = new DownstreamGate(invoices, 2, client, time);

    @Test
    void waitsWhileThereAreMoreMessagesAndLooksThemUpEveryFiveSeconds() throws Exception {
        client.put(invoices, "a", "b");
        assertThat(gate.check("orders")).isEqualTo(Permission.go());
        client.put(invoices, "c");
        time.advance(LOOK_UP.minusMillis(1));
        assertThat(gate.check("orders")).isEqualTo(Permission.go());
        assertThat(client.calls(Operation.ATTRIBUTES)).isEqualTo(1);

        time.advance(Duration.ofMillis(1));

        assertThat(gate.check("orders"))
                .isEqualTo(Permission.waitFor(Duration.ofSeconds(1), "the queue invoices has 3 messages, more than 2"));
        assertThat(client.calls(Operation.ATTRIBUTES)).isEqualTo(2);
    }

    @Test
    void aLookUpThatFailsIsNotRepeatedForFiveSeconds() throws Exception {
        client.faults(failing(Operation.ATTRIBUTES));
        assertThatThrownBy(() -> gate.check("orders")).isInstanceOf(QueueCallException.class);
        client.faults(Faults.NONE);
        time.advance(LOOK_UP.minusMillis(1));
        assertThatThrownBy(() -> gate.check("orders")).isInstanceOf(QueueCallException.class);
        time.advance(Duration.ofMillis(1));
        assertThat(gate.check("orders")).isEqualTo(Permission.go());
    }

    @Test
    void aListenerWaitsForTheDepthOfAnotherQueueBesideItsOtherGates() throws Exception {
        client.put(invoices, "a", "b", "c");
        client.put(queue, "1");
        ListenerContainer container = started(collect, limitedBy("invoices"), standingStill);
        var wait = Objects.requireNonNull(
                Progress.untilMatches(() -> container.status().receiveWait(), each -> each != null));
        assertThat(wait.reason()).isEqualTo("gate");
        assertThat(wait.detail()).isEqualTo("downstream.max-depth: the queue invoices has 3 messages, more than 2");
        assertThat(client.calls(Operation.RECEIVE)).isZero();
    }

    @Test
    void theQueueMustExistAndBeAnotherOne() {
        assertThatThrownBy(() -> started(collect, limitedBy("absent")))
                .isInstanceOf(QueueNotFoundException.class)
                .hasMessageContaining("absent");
        assertThatThrownBy(() -> started(collect, limitedBy("orders")))
                .isInstanceOf(InvalidOptionException.class)
                .hasMessageContaining("downstream.queue must be another queue than the one that the listener reads");
    }

    @Test
    void whatIsUnwiseIsNotLoggedAtEachSearchForAMissingQueue() {
        try (LogCapture log = LogCapture.warnings()) {
            assertThatThrownBy(() -> started(
                            collect, options -> limitedBy("absent").apply(options.batchLinger(Duration.ofSeconds(30)))))
                    .isInstanceOf(QueueNotFoundException.class);
            assertThat(log.events()).isEmpty();
        }
    }

    @Test
    void aResolverOfTheApplicationIsToldWhatItLacks() {
        var resolver = (QueueResolver) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {QueueResolver.class}, InvocationHandler::invokeDefault);
        assertThatThrownBy(() -> resolver.depth(invoices))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("cannot count the messages of invoices; implement QueueResolver.depth");
    }

    private static UnaryOperator<ListenerOptions.Builder> limitedBy(String queue) {
        return options -> options.downstream(new ListenerOptions.Downstream(queue, 2));
    }
}
