/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueAttributes;
import io.github.batchsqs.client.QueueAttributes.RedrivePolicy;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.client.QueueNotFoundException;
import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.testkit.ElasticMqServer;
import io.github.batchsqs.testkit.StubSqs;
import io.github.batchsqs.testkit.StubSqs.Response;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

class AwsQueueResolverTests {

    @Nested
    class OnARealServer {

        private final ElasticMqServer server = ElasticMqServer.shared();
        private final AwsQueueResolver resolver = new AwsQueueResolver(server.client());

        @Test
        void findsAQueueByNameUrlAndArn() throws Exception {
            Queue queue = server.createQueue(Map.of());
            assertThat(resolver.resolve(queue.name())).isEqualTo(queue);
            assertThat(resolver.resolve(queue.url())).isEqualTo(queue);
            assertThat(resolver.resolve("arn:aws:sqs:" + server.region().id() + ":000000000000:" + queue.name()))
                    .isEqualTo(queue);
        }

        @Test
        void saysThatAQueueWasNotFound() {
            String url = server.endpoint() + "/000000000000/nowhere";
            String arn = "arn:aws:sqs:us-east-1:000000000000:nowhere";
            for (String asked : new String[] {"nowhere", "nowhere.fifo", url, arn}) {
                QueueNotFoundException failure =
                        catchThrowableOfType(QueueNotFoundException.class, () -> resolver.resolve(asked));
                assertThat(failure.queue()).isEqualTo(asked);
                assertThat(failure)
                        .hasMessageContaining("The queue '" + asked + "' was not found")
                        .hasMessageContaining("must exist in the region")
                        .hasMessageContaining("create the queue")
                        .hasMessageContaining("sqs:GetQueueUrl");
            }
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "https://user:secret@host",
                    "https://user:secret@host/or ders",
                    "https://user:secret@host/o;r"
                })
        void doesNotPrintTheUserInformationOfAUrl(String url) {
            assertThatThrownBy(() -> resolver.resolve(url))
                    .isInstanceOf(BatchSqsException.class)
                    .hasMessageContaining("The queue 'https://***@host")
                    .hasMessageNotContaining("secret");
            assertThat(new QueueNotFoundException(url, new IllegalStateException()))
                    .hasMessageContaining("The queue 'https://***@host")
                    .hasMessageNotContaining("secret");
        }

        @Test
        void saysWhichNameNoQueueCanHave() {
            assertThatThrownBy(() -> resolver.resolve("my orders"))
                    .isInstanceOf(BatchSqsException.class)
                    .hasMessageStartingWith("The queue 'my orders' has the name 'my orders', which no queue can have;");
        }

        @Test
        void createsAQueueOnce() throws Exception {
            String name = ElasticMqServer.randomName();
            Queue created = resolver.create(name);
            assertThat(resolver.create(name)).isEqualTo(created);
            assertThat(resolver.resolve(name)).isEqualTo(created);
        }

        @Test
        void createsAFifoQueueByTheSuffix() throws Exception {
            Queue created = resolver.create(ElasticMqServer.randomName() + ".fifo");
            assertThat(server.client()
                            .getQueueAttributes(
                                    request -> request.queueUrl(created.url()).attributeNames(QueueAttributeName.ALL))
                            .attributes())
                    .containsEntry(QueueAttributeName.FIFO_QUEUE, "true");
        }

        @Test
        void readsTheAttributes() throws Exception {
            Queue dead = server.createQueue(Map.of());
            String policy = """
                    {"deadLetterTargetArn":"arn:aws:sqs:%s:000000000000:%s","maxReceiveCount":"3"}""".formatted(server.region().id(), dead.name());
            Queue queue = server.createQueue(
                    Map.of(QueueAttributeName.VISIBILITY_TIMEOUT, "77", QueueAttributeName.REDRIVE_POLICY, policy));
            QueueAttributes attributes = resolver.attributes(queue);
            assertThat(attributes.visibilityTimeout()).isEqualTo(Duration.ofSeconds(77));
            assertThat(attributes.redrive()).isEqualTo(new RedrivePolicy(dead.url(), 3));
            assertThat(resolver.attributes(dead).redrive()).isNull();
        }
    }

    @Nested
    class OnAStub {

        @AutoClose
        private final StubSqs stub = new StubSqs();

        @AutoClose
        private final SqsClient sqs = stub.newClient();

        private final AwsQueueResolver resolver = new AwsQueueResolver(sqs);

        @Test
        void asksTheAccountThatAnArnNames() throws Exception {
            stub.respond(request -> Response.ok("{\"QueueUrl\":\"https://there/210987654321/orders\"}"));
            assertThat(resolver.resolve("arn:aws:sqs:us-east-1:210987654321:orders"))
                    .isEqualTo(new Queue("orders", "https://there/210987654321/orders"));
            assertThat(stub.requests().getFirst().body())
                    .isEqualTo("{\"QueueName\":\"orders\",\"QueueOwnerAWSAccountId\":\"210987654321\"}");
        }

        @ParameterizedTest
        @ValueSource(strings = {"3", "\"3\""})
        void readsAReceiveCountWithOrWithoutQuotes(String count) throws Exception {
            stub.respond(request -> Response.ok("{\"Attributes\":{\"VisibilityTimeout\":\"30\",\"RedrivePolicy\":"
                    + quoted("{\"deadLetterTargetArn\":\"arn:aws:sqs:r:1:dead\",\"maxReceiveCount\":" + count + "}")
                    + "}}"));
            assertThat(resolver.attributes(new Queue("q", "https://there/1/q")).redrive())
                    .as("of the account of its queue, which need not be that of the credentials")
                    .isEqualTo(new RedrivePolicy("https://there/1/dead", 3));
        }

        @ParameterizedTest
        @ValueSource(strings = {"no json", "{}", "{\"deadLetterTargetArn\":\"a\",\"maxReceiveCount\":\"many\"}"})
        void saysThatARedrivePolicyCannotBeRead(String policy) {
            stub.respond(request -> Response.ok("{\"Attributes\":{\"RedrivePolicy\":" + quoted(policy) + "}}"));
            assertThatThrownBy(() -> resolver.attributes(new Queue("q", "https://there/1/q")))
                    .isInstanceOf(QueueCallException.class)
                    .hasMessageContaining("redrive policy of the queue 'q'");
        }

        @Test
        void aQueueWithoutACountIsNotAnEmptyOne() throws Exception {
            stub.respond(request -> Response.ok("{\"Attributes\":{\"ApproximateNumberOfMessagesDelayed\":\"1\"}}"));
            assertThatThrownBy(() -> resolver.depth(new Queue("q", "https://there/1/q")))
                    .isInstanceOf(QueueCallException.class)
                    .hasMessageContaining("does not count the messages of the queue 'q'");
            stub.respond(request -> Response.ok("{\"Attributes\":{\"ApproximateNumberOfMessages\":\"2\"}}"));
            assertThat(resolver.depth(new Queue("q", "https://there/1/q"))).isEqualTo(2);
        }

        @Test
        void takesBothNamesOfTheErrorForAMissingQueue() {
            stub.respond(request ->
                    Response.error(400, "QueueDoesNotExist", "AWS.SimpleQueueService.NonExistentQueue;Sender"));
            assertThatThrownBy(() -> resolver.resolve("orders")).isInstanceOf(QueueNotFoundException.class);
            stub.respond(request -> Response.error(400, "AWS.SimpleQueueService.NonExistentQueue"));
            assertThatThrownBy(() -> resolver.resolve("orders")).isInstanceOf(QueueNotFoundException.class);
        }

        @Test
        void takesAQueueThatExistsWithOtherAttributesForCreated() throws Exception {
            stub.respond(request -> request.operation().equals("CreateQueue")
                    ? Response.error(400, "QueueNameExists", "QueueAlreadyExists;Sender")
                    : Response.ok("{\"QueueUrl\":\"https://there/1/orders\"}"));
            assertThat(resolver.create("orders").url()).isEqualTo("https://there/1/orders");
        }

        @Test
        void passesOtherFailuresOn() {
            stub.respond(request -> Response.error(403, "AccessDenied"));
            QueueCallException failure =
                    catchThrowableOfType(QueueCallException.class, () -> resolver.resolve("orders"));
            assertThat(failure.retryable()).isFalse();
            assertThat(failure).hasMessageContaining("sqs:GetQueueUrl");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    "two words",
                    "orders.fifo.fifo",
                    "https://",
                    "https://host",
                    "https://host/1/two words",
                    "http:///1/orders",
                    "arn:aws:sns:us-east-1:123456789012:orders",
                    "arn:aws:sqs:us-east-1::orders",
                    "arn:aws:sqs:us-east-1:123456789012:orders:more",
                })
        void refusesWhatIsNoQueueAndSaysWhatIs(String asked) {
            assertThatThrownBy(() -> resolver.resolve(asked))
                    .isInstanceOf(BatchSqsException.class)
                    .hasMessageContainingAll("'" + asked + "'", "arn:aws:sqs:region:account:name");
            assertThat(stub.requests()).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "arn:aws:sqs:eu-west-1:123456789012:orders",
                    "https://sqs.eu-west-1.amazonaws.com/123456789012/orders",
                    "https://sqs-fips.eu-west-1.amazonaws.com/123456789012/orders",
                    "https://sqs.eu-west-1.api.aws/123456789012/orders",
                    "https://vpce-0a1b-2c3d.sqs.eu-west-1.vpce.amazonaws.com/123456789012/orders",
                })
        void refusesAQueueOfAnotherRegion(String asked) {
            assertThatThrownBy(() -> resolver.resolve(asked))
                    .hasMessageContaining("is in the region eu-west-1, but the SQS client is configured for us-east-1;"
                            + " set client to one that is configured for eu-west-1, or name a queue of us-east-1");
            assertThat(stub.requests()).isEmpty();
        }

        @Test
        void createsByNameOnly() {
            assertThatThrownBy(() -> resolver.create("https://there/1/orders")).isInstanceOf(BatchSqsException.class);
        }

        private String quoted(String json) {
            return '"' + json.replace("\"", "\\\"") + '"';
        }
    }
}
