/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.jdbc.internal.inbox.Databases;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ObjectAssert;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.jdbc.core.JdbcTemplate;

class OutboxEndpointTests {

    @AutoClose
    private final HikariDataSource source = Databases.h2();

    private final FakeSqs sqs = new FakeSqs();

    @AutoClose
    private final Instance instance = new Instance(source, sqs, TimeSource.system());

    private final BatchSqsOutboxEndpoint endpoint = new BatchSqsOutboxEndpoint(instance.store, instance.relay);

    @Test
    void reportsFailedMessagesWithTheReasonButWithoutTheBody() {
        refuse("secret");
        OutboxMessage failed = report().failedMessages().getFirst();
        assertThat(report().failed()).isEqualTo(1);
        assertThat(report().waiting()).isZero();
        assertThat(report().running()).isTrue();
        assertThat(failed.queue()).isEqualTo("q.fifo");
        assertThat(failed.groupId()).isEqualTo("g");
        assertThat(failed.attempts()).isEqualTo(1);
        assertThat(failed.error()).contains("InvalidParameterValue");
        assertThat(failed.failedAt()).isGreaterThanOrEqualTo(failed.storedAt());
        assertThat(report().toString()).doesNotContain("secret");
    }

    @Test
    void sendsOneFailedMessageAgainAsIfItWereNew() {
        refuse("a", "b");
        sqs.faults(new FakeSqs.Faults() {});
        long id = report().failedMessages().getFirst().id();
        assertThat(endpoint.change(String.valueOf(id), "retry")).isEqualTo(Map.of("retried", 1));
        assertThat(Databases.column(source, "SELECT attempts FROM batchsqs_outbox WHERE id = " + id))
                .containsExactly("0");
        instance.relayUntil(() -> sqs.bodies().equals(List.of("a")) && report().waiting() == 0);
        assertThat(report().failed()).isEqualTo(1);
        assertError(endpoint.change(String.valueOf(id), "retry"), 404)
                .isEqualTo("The outbox has no such message with the id " + id + "; the report names the ids");
    }

    /** J7: a row that can never be sent is seen with its reason, and can be parked, retried and deleted. */
    @Test
    void messagesThatWaitAreReportedParkedAndDeleted() {
        sqs.faults(FakeSqs.notFinding("QueueDoesNotExist"));
        var unused = instance.commit("gone", null, List.of("secret"));
        instance.relayUntil(() ->
                String.valueOf(report().waitingMessages().getFirst().error()).contains("QueueDoesNotExist"));
        OutboxMessage waiting = report().waitingMessages().getFirst();
        assertThat(waiting.queue()).isEqualTo("gone");
        assertThat(waiting.attempts()).isPositive();
        assertThat(health().getDetails())
                .hasEntrySatisfying(
                        "error", error -> assertThat(error).asString().contains("gone"));

        String id = String.valueOf(waiting.id());
        assertThat(endpoint.change(id, "park")).isEqualTo(Map.of("parked", 1));
        assertThat(report().failedMessages()).hasSize(1);
        assertThat(report().waiting()).isZero();
        assertThat(endpoint.change(id, "retry")).isEqualTo(Map.of("retried", 1));
        assertThat(report().waiting()).isEqualTo(1);
        assertThat(endpoint.delete(id)).isEqualTo(Map.of("deleted", 1));
        assertThat(report().waiting()).isZero();
        assertThat(health().getDetails()).doesNotContainKey("error");
        assertError(endpoint.delete(id), 404).asString().contains(id);
    }

    @Test
    void whatIsStuckIsListedAheadOfWhatWaitsForItsTime() {
        store(150, "9000000000000, NULL");
        sqs.faults(FakeSqs.notFinding("QueueDoesNotExist"));
        var unused = instance.commit("gone", null, List.of("stuck"));
        instance.relayUntil(() -> report().waitingMessages().getFirst().queue().equals("gone"));
        assertThat(report().waitingMessages()).hasSize(100);
        assertThat(report().waiting()).isEqualTo(1);
        assertThat(report().failed()).isZero();

        OutboxMessage later = report().waitingMessages().getLast();
        assertThat(endpoint.change(String.valueOf(later.id()), "park")).isEqualTo(Map.of("parked", 1));
        assertThat(report().failed()).isEqualTo(1);
    }

    @Test
    void failedMessagesTakeNoPlaceFromThoseThatWaitInTheCount() {
        store(100_001, "0, 1");
        var unused = instance.commit("q.fifo", "g", List.of("waits"));
        assertThat(report().waiting()).isEqualTo(1);
        assertThat(report().failed()).isEqualTo(100_000);
    }

    /** Stores rows with such a {@code due_at} and {@code failed_at}; few by a statement, which has a timeout. */
    private void store(int count, String times) {
        for (int left = count, some; left > 0; left -= some) {
            some = Math.min(left, 5_000);
            int stored = new JdbcTemplate(source)
                    .update("INSERT INTO batchsqs_outbox (client, queue, body, bytes, created_at, attempts, due_at,"
                            + " failed_at) SELECT 'default', 'other', 'x', 1, 1, 0, " + times
                            + " FROM SYSTEM_RANGE(1, " + some + ")");
            assertThat(stored).isEqualTo(some);
        }
    }

    @Test
    void isDownWithoutARelay() {
        assertThat(health().getStatus()).isEqualTo(Status.UP);
        instance.relay.end();
        assertThat(health().getStatus()).isEqualTo(Status.DOWN);
    }

    private Health health() {
        instance.meters.backlog(instance.backlog());
        return new OutboxHealth(instance.relay, instance.meters).health();
    }

    /** It was free then, and another instance sent it too, or one behind it in its group. */
    @Test
    void aMessageThatIsBeingSentStaysWithItsInstanceWhenItIsRetriedOrParked() {
        boolean unused = instance.relay.cycle();
        var sent = instance.commit("q.fifo", "g", List.of("a"));
        long id = report().waitingMessages().getFirst().id();
        List<Candidate> claimed = instance.claim(UnaryOperator.identity()).rows();
        assertThat(claimed).hasSize(1);
        endpoint.change(String.valueOf(id), "retry");
        assertThat(instance.store.read(claimed)).hasSize(1);
        endpoint.change(String.valueOf(id), "park");
        endpoint.change(String.valueOf(id), "retry");
        assertThat(instance.store.read(claimed)).hasSize(1);
        assertThat(sent.getFirst()).isNotDone();
    }

    @Test
    void refusesInvalidRequestsInWords() {
        assertError(endpoint.change("1", "resend"), 400)
                .isEqualTo("Unknown operation 'resend'; there are retry and park");
        assertError(endpoint.change("x", "retry"), 400)
                .isEqualTo("id must be the id of a message or all, but is 'x'; the report names the ids");
        assertError(endpoint.change("all", "park"), 400)
                .isEqualTo("id must be the id of a message, but is 'all'; the report names the ids");
        assertError(endpoint.delete("all"), 400)
                .isEqualTo("id must be the id of a message, but is 'all'; the report names the ids");
        assertThat(endpoint.change("all", "retry")).isEqualTo(Map.of("retried", 0));
    }

    @Test
    void aDatabaseThatFailsIsReported() {
        source.close();
        assertError(endpoint.outbox(), 503).asString().contains("The database of the outbox failed");
        assertError(endpoint.change("all", "retry"), 503).asString().contains("try again");
        assertError(endpoint.delete("1"), 503).asString().contains("try again");
    }

    private OutboxReport report() {
        return (OutboxReport) endpoint.outbox();
    }

    private static ObjectAssert<Object> assertError(Object response, int status) {
        var error = (WebEndpointResponse<?>) response;
        assertThat(error.getStatus()).isEqualTo(status);
        return assertThat(error.getBody())
                .asInstanceOf(InstanceOfAssertFactories.map(String.class, Object.class))
                .extractingByKey("error")
                .asInstanceOf(InstanceOfAssertFactories.type(Object.class));
    }

    /** Leaves messages in the outbox that SQS has refused. */
    private void refuse(String... bodies) {
        sqs.faults(FakeSqs.refusing("on purpose", any -> true));
        var unused = instance.commit("q.fifo", "g", List.of(bodies));
        instance.relayUntil(() -> report().failed() == bodies.length);
    }
}
