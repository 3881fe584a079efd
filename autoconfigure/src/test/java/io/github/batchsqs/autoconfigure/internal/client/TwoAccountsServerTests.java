/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.testkit.Progress;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * One application, two accounts of one server that have queues of the same name. Needs a server that tells accounts apart by
 * their access keys, as LocalStack does: {@code .ci/localstack/run}.
 */
@EnabledIfSystemProperty(named = "batchsqs.test.endpoint", matches = "http://(localhost|127\\.0\\.0\\.1):.*")
class TwoAccountsServerTests {

    private static final int MESSAGES = 25;
    private static final String ACCOUNT = "111111111111";
    private static final String OTHER_ACCOUNT = "222222222222";

    private final Orders orders = new Orders();

    @Test
    void messagesOfAccountsNeverCross() {
        Contexts.aws()
                .withBean(Orders.class, () -> orders)
                .withPropertyValues(
                        "orders=orders-" + UUID.randomUUID(),
                        "spring.cloud.aws.region.static=us-east-1",
                        "spring.cloud.aws.sqs.endpoint=" + System.getProperty("batchsqs.test.endpoint"),
                        "spring.cloud.aws.credentials.access-key=" + ACCOUNT,
                        "batchsqs.clients.other.credentials.access-key=" + OTHER_ACCOUNT,
                        "batchsqs.clients.other.credentials.secret-key=secret",
                        "batchsqs.listener.queue-not-found=create",
                        "batchsqs.listener.wait-time=1s")
                .run(context -> {
                    var template = context.getBean(BatchSqsOperations.class);
                    var clients = context.getBean(NamedClients.class);
                    String queue = context.getEnvironment().getRequiredProperty("orders");
                    assertThat(Stream.of("default", "other").map(client -> url(clients.get(client), queue)))
                            .satisfiesExactly(
                                    url -> assertThat(url).contains("/" + ACCOUNT + "/"),
                                    url -> assertThat(url).contains("/" + OTHER_ACCOUNT + "/"));

                    var sent = template.sendAll(queue, numbered("own"));
                    var sentToOther = template.client("other").sendAll(queue, numbered("other"));
                    assertThat(List.of(sent, sentToOther))
                            .allMatch(each -> each.successful().size() == MESSAGES);

                    Progress.until(() -> orders.own.size() + orders.other.size(), 2 * MESSAGES);
                    assertThat(orders.own).hasSize(MESSAGES).allMatch(each -> each.startsWith("own"));
                    assertThat(orders.other).hasSize(MESSAGES).allMatch(each -> each.startsWith("other"));
                });
    }

    private static String url(NamedClient client, String queue) {
        try {
            return client.resolver().resolve(queue).url();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private static List<String> numbered(String prefix) {
        return IntStream.range(0, MESSAGES).mapToObj(i -> prefix + " " + i).toList();
    }

    static class Orders {
        final Queue<String> own = new ConcurrentLinkedQueue<>();
        final Queue<String> other = new ConcurrentLinkedQueue<>();

        @BatchSqsListener(id = "own", queue = "${orders}")
        void own(List<String> orders) {
            own.addAll(orders);
        }

        @BatchSqsListener(id = "other", queue = "${orders}", client = "other")
        void other(List<String> orders) {
            other.addAll(orders);
        }
    }
}
