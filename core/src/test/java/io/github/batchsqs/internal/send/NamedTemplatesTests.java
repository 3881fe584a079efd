/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.PatientSender;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A template with the client {@code far}, whose server has a queue of the same name. */
class NamedTemplatesTests extends TemplateFixture {

    private final InMemoryQueueClient farSqs = new InMemoryQueueClient(TimeSource.system());
    private final SendSeam far = new SendSeam(farSqs);
    private final List<String> made = new CopyOnWriteArrayList<>();
    private final BatchSqsTemplate main = main();

    private BatchSqsTemplate main() {
        farSqs.createQueue("q");
        var options = PatientSender.options().linger(Duration.ofSeconds(10)).build();
        var main = new BatchSqsTemplate(options, resources(seam, SendBinding.NONE), name -> {
            made.add(name);
            return far(far, farSqs);
        });
        templates.add(main);
        return main;
    }

    @Test
    void makesTheResourcesOfAClientOnceAndReturnsTheSameOperations() {
        assertThat(made).isEmpty();
        assertThat(main.client("default")).isSameAs(main);
        assertThat(main.client("far")).isSameAs(main.client("far")).isNotSameAs(main);
        assertThat(main.client("far").client("far")).isSameAs(main.client("far"));
        assertThat(main.client("far").client("default")).isSameAs(main);
        assertThat(made).containsExactly("far");
    }

    @Test
    void sendsWithTheClientThatIsNamed() throws Exception {
        var near = main.send("q", "near");
        var other = main.client("far").send("q", "far");
        Progress.get(main.flush());

        assertThat(List.of(near, other)).allMatch(each -> each.state() == Future.State.SUCCESS);
        assertThat(seam.entries).singleElement().extracting("body").isEqualTo("near");
        assertThat(far.sizes()).containsExactly(1);
    }

    @Test
    void flushesOnlyItsOwnMessagesOfANamedClient() throws Exception {
        seam.close();
        var near = main.send("q", "near");
        var other = main.client("far").send("q", "far");
        Progress.get(main.client("far").flush());

        assertThat(other).isCompleted();
        assertThat(near).isNotDone();
    }

    @Test
    void sendsTheMessagesOfAllClientsWhenItCloses() throws Exception {
        var near = main.send("q", "near");
        BatchSqsOperations named = main.client("far");
        var other = named.send("q", "far");
        ((AutoCloseable) named).close(); // as a context does with a bean that a user made of it
        main.close();

        assertThat(List.of(near, other)).allMatch(each -> each.state() == Future.State.SUCCESS);
        assertThat(failureOf(main.client("far").send("q", "late")).code()).isEqualTo(SendFailedException.CLOSED);
    }

    @Test
    void doesNotLetAClientWithoutResponsesTakeTheTimeOfTheOthersWhenItCloses() throws Exception {
        seam.close();
        var near = main.send("q", "near");
        var other = main.client("far").send("q", "far");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var closing = threads.submit(() -> main.close(Duration.ofDays(1)));
            Progress.get(other); // while the other client gets no response
            assertThat(near).isNotDone();
            seam.open();
            Progress.get(closing);
        }
        assertThat(near).isCompleted();
    }

    @Test
    void refusesTheMessagesOfClientsThatAreUsedForTheFirstTimeAfterItsClose() {
        main.close();

        assertThat(failureOf(main.client("far").send("q", "late")).code()).isEqualTo(SendFailedException.CLOSED);
    }

    @Test
    void hasNoNamedClientsUnlessItIsGivenSome() {
        assertThat(template.client("default")).isSameAs(template);
        assertThatThrownBy(() -> template.client("far"))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage("This template has no named clients, so there is no client 'far'");
    }
}
