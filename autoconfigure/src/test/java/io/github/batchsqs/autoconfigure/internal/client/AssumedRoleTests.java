/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.client;

import static io.github.batchsqs.autoconfigure.internal.client.NamedClientsTests.clients;
import static io.github.batchsqs.autoconfigure.internal.client.NamedClientsTests.configuration;
import static io.github.batchsqs.autoconfigure.internal.client.NamedClientsTests.credentials;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.internal.direct.DirectQueueClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.services.sts.auth.StsAssumeRoleCredentialsProvider;

/** The setting {@code credentials.role-arn}, with a server in place of STS. */
class AssumedRoleTests {

    private static final String ROLE = "arn:aws:iam::222222222222:role/audit";

    private final Queue<String> requests = new ConcurrentLinkedQueue<>();
    private final HttpServer sts;
    private ApplicationContextRunner contexts = Contexts.aws();

    AssumedRoleTests() throws IOException {
        sts = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    }

    @BeforeEach
    void start() {
        sts.createContext("/", this::respond);
        sts.start();
        contexts = Contexts.aws()
                .withPropertyValues(
                        "spring.cloud.aws.endpoint=http://127.0.0.1:"
                                + sts.getAddress().getPort(),
                        "batchsqs.clients.audit.region=us-west-2",
                        "batchsqs.clients.audit.credentials.role-arn=" + ROLE);
    }

    @AfterEach
    void stop() {
        sts.stop(0);
    }

    private void respond(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            requests.add(URLDecoder.decode(body, StandardCharsets.UTF_8) + " "
                    + exchange.getRequestHeaders().getFirst("Authorization"));
            byte[] response = """
                    <AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>
                    <AccessKeyId>temporary</AccessKeyId><SecretAccessKey>secret</SecretAccessKey>
                    <SessionToken>token</SessionToken><Expiration>2999-01-01T00:00:00Z</Expiration>
                    </Credentials></AssumeRoleResult></AssumeRoleResponse>
                    """.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, response.length);
            exchange.getResponseBody().write(response);
        }
    }

    @Test
    void isAssumedWithTheCredentialsOfSpringCloudAwsInTheRegionOfTheClient() {
        contexts.run(context -> {
            assertThat(credentials(context, "audit")).isInstanceOfSatisfying(AwsSessionCredentials.class, session -> {
                assertThat(session.accessKeyId()).isEqualTo("temporary");
                assertThat(session.sessionToken()).isEqualTo("token");
            });
            assertThat(requests)
                    .singleElement()
                    .asString()
                    .contains("Action=AssumeRole", "RoleArn=" + ROLE, "RoleSessionName=batchsqs-audit")
                    .contains("Credential=key/", "/us-west-2/sts/");
            assertThat(clients(context).get("audit").queues()).isInstanceOf(DirectQueueClient.class);
            assertThat(credentials(context, "default").accessKeyId()).isEqualTo("key");
        });
    }

    @Test
    void isAssumedWithTheKeysOfTheClient() {
        contexts.withPropertyValues(
                        "batchsqs.clients.audit.credentials.access-key=own",
                        "batchsqs.clients.audit.credentials.secret-key=secret")
                .run(context -> {
                    assertThat(credentials(context, "audit").accessKeyId()).isEqualTo("temporary");
                    assertThat(requests).singleElement().asString().contains("Credential=own/");
                });
    }

    @Test
    void isClosedWithTheClient() {
        contexts.run(context -> {
            var provider = (StsAssumeRoleCredentialsProvider)
                    configuration(context, "audit").credentialsProvider();
            context.getSourceApplicationContext().close();
            assertThat(Stream.of(provider).map(AssumedRoleTests::failure)).allMatch(text -> text.contains("shut down"));
        });
    }

    @Test
    void isNotAssumedOnTheEmbeddedServer() {
        Contexts.embedded()
                .withPropertyValues("batchsqs.clients.audit.credentials.role-arn=" + ROLE)
                .run(context ->
                        assertThat(credentials(context, "audit").accessKeyId()).isEqualTo("embedded"));
    }

    @Test
    void aMissingLibraryEndsTheStart() {
        contexts.withClassLoader(new FilteredClassLoader("software.amazon.awssdk.services.sts"))
                .run(context -> assertThat(causes(context))
                        .contains("batchsqs.clients.audit.credentials.role-arn must be absent while"
                                + " software.amazon.awssdk:sts is not on the class path, but is " + ROLE
                                + "; add that dependency, or remove the key"));
    }

    private static String failure(StsAssumeRoleCredentialsProvider provider) {
        try {
            return String.valueOf(provider.resolveCredentials());
        } catch (RuntimeException failed) {
            return String.valueOf(failed.getMessage());
        }
    }

    private static List<String> causes(AssertableApplicationContext context) {
        return Stream.iterate(context.getStartupFailure(), Objects::nonNull, Throwable::getCause)
                .map(each -> String.valueOf(each.getMessage()))
                .toList();
    }
}
