/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.pull.PulledMessage;
import io.github.batchsqs.pull.ReceiveRequest;
import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.PatientSender;
import io.github.batchsqs.testkit.Progress;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The template as one that receives: its overloads, its named clients, its flush and its close. */
class TemplateReceiveTests extends TemplateFixture {

    @Test
    void receivesOneMessage() throws Exception {
        sqs.put(standard, "a", "b");

        assertThat(template.receiveOne("q", String.class))
                .map(PulledMessage::payload)
                .contains("a");

        assertThat(sqs.visible(standard)).hasSize(1);
    }

    @Test
    void receivesNoMessageFromAnEmptyQueue() throws Exception {
        var request = ReceiveRequest.of("q", String.class).waitTime(Duration.ZERO);

        assertThat(template.receiveOne(request)).isEmpty();
        assertThat(template.receive(request)).isEmpty();
    }

    @Test
    void receivesFromTheDefaultQueue() throws Exception {
        sqs.put(standard, "a", "b");
        BatchSqsTemplate withQueue = template(options -> options.defaultQueue("q"));

        assertThat(withQueue.receive(BatchSqsOperations.DEFAULT_QUEUE).payloads())
                .isEqualTo(List.of("a", "b"));
        assertThatThrownBy(() -> template.receive(BatchSqsOperations.DEFAULT_QUEUE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("There is no default queue: name the queue, or set default-queue"
                        + " (batchsqs.sender.default-queue)");
    }

    @Test
    void receivesWithTheClientThatIsNamed() throws Exception {
        var farSqs = new InMemoryQueueClient(TimeSource.system());
        farSqs.put(farSqs.createQueue("q"), "far");
        sqs.put(standard, "near");
        var main = new BatchSqsTemplate(
                PatientSender.options().build(), resources(seam, SendBinding.NONE), name -> far(farSqs, farSqs));
        templates.add(main);

        var far = main.client("far").receiveOne("q", String.class).orElseThrow();

        assertThat(far.payload()).isEqualTo("far");
        CompletableFuture<Void> acknowledged = far.acknowledge();
        Progress.get(main.flush());
        assertThat(Progress.done(acknowledged)).isCompleted();
        assertThat(sqs.visible(standard)).hasSize(1);
    }

    @Test
    void makesTheCallsOfAcknowledgementsThatCallbacksOfSendsBeginWhenItCloses() throws Exception {
        sqs.put(standard, "a");
        BatchSqsTemplate slow = template(options -> options.linger(Duration.ofSeconds(10)));
        var message = slow.receiveOne("q", String.class).orElseThrow();
        CompletableFuture<Void> acknowledged = slow.send("q", "b").thenCompose(sent -> message.acknowledge());

        slow.close();

        assertThat(sqs.deleted(standard)).hasSize(1);
        assertThat(Progress.done(acknowledged)).isCompleted();
    }

    @Test
    void receivesNothingMoreWhenItIsClosed() throws Exception {
        sqs.put(standard, "a", "b");
        template.receiveOne("q", String.class);

        template.close();

        assertThatThrownBy(() -> template.receive("q"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("The template is closed: it receives nothing more");
        assertThat(sqs.visible(standard)).hasSize(1);
    }

    @Test
    void operationsThatOnlySendDoNotReceive() {
        var operations = (BatchSqsOperations) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {BatchSqsOperations.class},
                (proxy, method, arguments) -> InvocationHandler.invokeDefault(proxy, method, arguments));

        assertThatThrownBy(() -> operations.receiveOne("q", String.class))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage("These operations do not receive");
        assertThatThrownBy(() -> operations.receive("q")).isInstanceOf(UnsupportedOperationException.class);
    }
}
