/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.batch.EntryResult;
import io.github.batchsqs.batch.EntryResult.Accepted;
import io.github.batchsqs.testkit.ElasticMqServer;
import io.github.batchsqs.testkit.StubSqs;
import io.github.batchsqs.testkit.StubSqs.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.metrics.LoggingMetricPublisher;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

class DirectQueueClientTests extends QueueClientTests {

    private final SdkHttpClient http =
            Apache5HttpClient.builder().socketTimeout(Duration.ofSeconds(30)).build();
    private final StubSqs stub = new StubSqs();
    private final Queue queue = new Queue("orders", stub.endpoint() + "/000000000000/orders");
    private final List<SqsClient> opened = new ArrayList<>();

    @Override
    QueueClient client(SqsClient sqs) {
        return new DirectQueueClient(sqs, http);
    }

    @AfterEach
    void close() {
        opened.forEach(SqsClient::close);
        http.close();
        stub.close();
    }

    @Test
    void doesNotRepeatACallOfAClosedClient() {
        QueueClient client = client(sqs(override -> {}));
        http.close();
        QueueCallException failure =
                catchThrowableOfType(QueueCallException.class, () -> client.delete(queue, List.of("h")));
        assertThat(failure.retryable()).isFalse();
        assertThat(failure.code()).isEqualTo("ClientClosed");
    }

    @Test
    void repeatsByTheStrategyOfTheClientAndWaitsBetween() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        stub.answer(request -> switch (calls.incrementAndGet()) {
            case 1 -> Answer.error(500, "InternalError");
            case 2 -> Answer.cut();
            default -> Answer.ok("{\"Successful\":[{\"Id\":\"0\"}]}");
        });
        List<Duration> waits = new ArrayList<>();
        DirectQueueClient client = new DirectQueueClient(sqs(override -> {}), http, waits::add);

        assertThat(client.delete(queue, List.of("h")).getFirst()).isInstanceOf(Accepted.class);

        assertThat(calls).hasValue(3);
        assertThat(waits).hasSizeLessThanOrEqualTo(2).allMatch(Duration::isPositive);
    }

    @Test
    void givesUpWhenTheStrategyDoes() {
        stub.answer(request -> Answer.error(503, "ServiceUnavailable"));
        DirectQueueClient client = new DirectQueueClient(sqs(override -> {}), http, wait -> {});
        QueueCallException failure =
                catchThrowableOfType(QueueCallException.class, () -> client.delete(queue, List.of("h")));
        assertThat(failure.code()).isEqualTo("ServiceUnavailable");
        assertThat(stub.requests()).hasSize(3);
    }

    @Test
    void doesNotRepeatWhatIsRefused() {
        stub.answer(request -> Answer.error(403, "AccessDenied"));
        DirectQueueClient client = new DirectQueueClient(sqs(override -> {}), http, wait -> {});
        assertThatThrownBy(() -> client.delete(queue, List.of("h"))).hasMessageContaining("sqs:DeleteMessage");
        assertThat(stub.requests()).hasSize(1);
    }

    @Test
    void endsAWaitWhenItsThreadIsInterrupted() {
        stub.answer(request -> Answer.error(503, "ServiceUnavailable"));
        DirectQueueClient client = new DirectQueueClient(sqs(override -> {}), http, wait -> {
            throw new InterruptedException();
        });
        assertThatThrownBy(() -> client.delete(queue, List.of("h"))).isInstanceOf(InterruptedException.class);
    }

    @Test
    void refusesAMessageWhoseBodyIsNotWhatTheDigestSays() {
        stub.answer(request -> Answer.ok("""
                {"Messages":[{"MessageId":"m","ReceiptHandle":"h","Body":"secret","MD5OfBody":"0"}]}"""));
        QueueCallException failure = catchThrowableOfType(QueueCallException.class, this::receive);
        assertThat(failure.retryable()).isTrue();
        assertThat(failure).hasMessageContaining("digest of the message body").hasMessageNotContaining("secret");
    }

    @Test
    void refusesAttributesThatAreNotWhatTheDigestSays() {
        stub.answer(request -> Answer.ok("""
                {"Messages":[{"MessageId":"m","ReceiptHandle":"h","Body":"a","MD5OfBody":"%s",
                  "MessageAttributes":{"n":{"DataType":"String","StringValue":"v"}},
                  "MD5OfMessageAttributes":"0"}]}""".formatted(DirectDigests.ofBody("a"))));
        assertThat(catchThrowableOfType(QueueCallException.class, this::receive))
                .hasMessageContaining("digest of the message attributes");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"Messages\":[{\"MessageId\":\"m\",\"Body\":\"a\"}]}",
                "{\"Messages\":[{\"MessageId\":\"m\",\"ReceiptHandle\":\"h\"}]}",
                "{\"Messages\":[{\"MessageId\":7}]}",
                "{\"Messages\":[7]}",
                "{\"Messages\":{}}",
                "{\"Messages\":[{\"MessageId\":\"m\",\"Attributes\":[]}]}",
                "{\"Messages\":[{\"MessageId\":\"m\",\"MessageAttributes\":{\"a\":{\"StringValue\":\"v\"}}}]}",
            })
    void refusesAnAnswerThatIsNotOfTheProtocol(String answer) {
        stub.answer(request -> Answer.ok(answer));
        QueueCallException failure = catchThrowableOfType(QueueCallException.class, this::receive);
        assertThat(failure.code()).isEqualTo("UnreadableAnswer");
        assertThat(failure.retryable()).isTrue();
    }

    @Test
    void passesOverWhatItDoesNotKnow() throws Exception {
        stub.answer(request -> Answer.ok("""
                {"New":{"a":[1,{"b":2}]},"Messages":[{"MessageId":"m","ReceiptHandle":"h","Body":"a","New":[[]],
                  "MD5OfBody":"%s","Attributes":null,"MessageAttributes":null}]}""".formatted(DirectDigests.ofBody("a"))));
        ReceivedMessage message = receive().getFirst();
        assertThat(message.attributes()).isEmpty();
        assertThat(message.systemAttributes()).isEmpty();
        assertThat(message.receiveCount()).isEqualTo(1);
    }

    @Test
    void takesAnErrorOfAProxyForAnErrorWithoutACode() {
        stub.answer(request -> new Answer(502, "<html>Bad gateway</html>", ""));
        DirectQueueClient client = new DirectQueueClient(sqs(override -> {}), http, wait -> {});
        QueueCallException failure =
                catchThrowableOfType(QueueCallException.class, () -> client.delete(queue, List.of("h")));
        assertThat(failure.code()).isEqualTo("Unknown");
        assertThat(failure.retryable()).isTrue();
        assertThat(failure).hasMessageContaining("502");
    }

    @Test
    void saysThatThereAreNoCredentials() {
        SqsClient sqs = SqsClient.builder()
                .endpointOverride(stub.endpoint())
                .region(Region.US_EAST_1)
                .credentialsProvider(() -> {
                    throw SdkClientException.create("no credentials here");
                })
                .build();
        opened.add(sqs);
        assertThatThrownBy(() -> client(sqs).delete(queue, List.of("h"))).hasMessageContaining("no credentials here");
    }

    @Test
    void refusesAClientThatDoesNotSign() {
        SqsClient sqs = SqsClient.builder()
                .endpointOverride(stub.endpoint())
                .region(Region.US_EAST_1)
                .credentialsProvider(AnonymousCredentialsProvider.create())
                .build();
        opened.add(sqs);
        assertThatThrownBy(() -> client(sqs).delete(queue, List.of("h"))).hasMessageContaining("turn them off");
    }

    @Test
    void givesTheSameNativeMessageAsTheSdk() throws Exception {
        ElasticMqServer server = ElasticMqServer.shared();
        Queue real = server.createQueue(Map.of());
        QueueClient direct = client(server.client());
        SendEntry entry = new SendEntry(
                "grüße",
                Map.of(
                        "text", MessageAttribute.text("String.label", "t"),
                        "bytes", MessageAttribute.binary(new byte[] {0, 1, -1})),
                "Root=1-5759e988-bd862e3fe1be46a994272793",
                null,
                null,
                null);
        assertThat(direct.send(real, List.of(entry))).allMatch(result -> result instanceof EntryResult.Accepted);
        ReceiveCall again = new ReceiveCall(real, 10, Duration.ofSeconds(1), Duration.ZERO, null);
        Message ours = (Message) direct.receive(again).getFirst().nativeMessage();
        Message theirs = (Message)
                new AwsQueueClient(server.client()).receive(again).getFirst().nativeMessage();
        assertThat(ours.messageAttributes()).isEqualTo(theirs.messageAttributes());
        assertThat(ours.attributesAsStrings().keySet())
                .isEqualTo(theirs.attributesAsStrings().keySet());
        assertThat(ours)
                .usingRecursiveComparison()
                .ignoringFields("receiptHandle", "attributes", "messageAttributes")
                .isEqualTo(theirs);
    }

    @Test
    void findsWhatDirectCallsWouldLeaveOut() {
        assertThat(DirectQueueClient.obstacle(sqs(override -> {}))).isEmpty();
        assertThat(DirectQueueClient.obstacle(sqs(override -> override.addExecutionInterceptor(new Interceptor()))))
                .hasValueSatisfying(found -> assertThat(found).contains("execution interceptor", "Interceptor"));
        assertThat(DirectQueueClient.obstacle(
                        sqs(override -> override.addMetricPublisher(LoggingMetricPublisher.create()))))
                .hasValueSatisfying(found -> assertThat(found).contains("LoggingMetricPublisher"));
        assertThat(DirectQueueClient.obstacle(sqs(override -> override.apiCallTimeout(Duration.ofSeconds(9)))))
                .contains("the apiCallTimeout");
        assertThat(DirectQueueClient.obstacle(sqs(override -> override.apiCallAttemptTimeout(Duration.ofSeconds(9)))))
                .contains("the apiCallAttemptTimeout");
    }

    private List<ReceivedMessage> receive() throws InterruptedException {
        DirectQueueClient client = new DirectQueueClient(sqs(override -> {}), http, wait -> {});
        return client.receive(new ReceiveCall(queue, 10, Duration.ZERO, null, null));
    }

    private SqsClient sqs(Consumer<ClientOverrideConfiguration.Builder> more) {
        SqsClient sqs = SqsClient.builder()
                .endpointOverride(stub.endpoint())
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                .overrideConfiguration(override -> {
                    override.retryStrategy(AwsRetryStrategy.standardRetryStrategy());
                    more.accept(override);
                })
                .build();
        opened.add(sqs);
        return sqs;
    }

    private static final class Interceptor implements ExecutionInterceptor {}
}
