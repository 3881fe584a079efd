/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.client;

import io.github.batchsqs.autoconfigure.internal.embedded.EmbeddedEndpoint;
import io.github.batchsqs.autoconfigure.internal.options.ClientNames;
import io.github.batchsqs.autoconfigure.internal.settings.BatchSqsProperties;
import io.github.batchsqs.autoconfigure.internal.settings.NamedClientSettings;
import io.github.batchsqs.client.HttpClientOptions;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.sdk.AwsDeadLetterRedrive;
import io.github.batchsqs.internal.sdk.AwsQueueResolver;
import io.github.batchsqs.internal.support.Locked;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/**
 * The clients by name: the default one, and those of {@code batchsqs.clients}, each of which is built when it is asked for
 * the first time. Safe for use by any thread.
 */
public final class NamedClients implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(NamedClients.class);

    private final NamedClient defaultClient;
    private final Map<String, NamedClientSettings> settings;
    private final ObjectProvider<SqsClientFactory> sqsClients;
    private final ObjectProvider<EmbeddedEndpoint> embedded;
    private final boolean direct;
    private final HttpClientOptions options;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, NamedClient> built = new HashMap<>();
    private boolean closed;

    /** @throws InvalidOptionException if a setting breaks its rule */
    NamedClients(
            NamedClient defaultClient,
            BatchSqsProperties properties,
            ObjectProvider<SqsClientFactory> sqsClients,
            ObjectProvider<EmbeddedEndpoint> embedded,
            HttpClientOptions options) {
        properties.clients().forEach(ClientRules::check);
        this.defaultClient = defaultClient;
        this.settings = Map.copyOf(properties.clients());
        this.sqsClients = sqsClients;
        this.embedded = embedded;
        this.direct = properties.client().direct();
        this.options = options;
    }

    /**
     * {@return the client of this name}
     *
     * @throws InvalidOptionException if there is none
     * @throws IllegalStateException if the application has closed
     */
    public NamedClient get(String name) {
        if (name.equals(QueueClient.DEFAULT_NAME)) {
            return defaultClient;
        }
        ClientNames.require(name, settings.keySet());
        return Locked.get(lock, () -> {
            if (closed) {
                throw new IllegalStateException("The client '" + name + "' is closed, as the application context is");
            }
            return built.computeIfAbsent(name, each -> create(each, Objects.requireNonNull(settings.get(each))));
        });
    }

    /** Builds a client as the default client is built, with a pool of connections of its own. */
    private NamedClient create(String name, NamedClientSettings own) {
        SqsClientFactory factory = sqsClients.getObject();
        var http = new SharedHttpClient(options);
        AwsCredentialsProvider credentials = credentials(own.credentials(), factory.isServerReplaced());
        AssumedRole role = factory.role(name, own);
        SqsClient sqs = factory.create(name, http, own, credentials, role);
        QueueClient queues = http.queues(sqs, direct);
        EmbeddedEndpoint server = embedded.getIfAvailable();
        return new NamedClient(
                server == null ? queues : server.withoutLoss(queues),
                new AwsQueueResolver(sqs),
                () -> new AwsDeadLetterRedrive(sqs),
                () -> sqs,
                () -> {
                    sqs.close();
                    if (role != null) {
                        role.close();
                    }
                    if (credentials instanceof SdkAutoCloseable closeable) {
                        closeable.close();
                    }
                });
    }

    /**
     * Returns the client's own credentials, or {@code null} for those of the default client.
     *
     * @param serverReplaced whether a test server takes the calls: it knows accounts by their keys, perhaps, but no profiles
     */
    private static @Nullable AwsCredentialsProvider credentials(
            NamedClientSettings.Credentials own, boolean serverReplaced) {
        if (own.accessKey() != null && own.secretKey() != null) {
            return StaticCredentialsProvider.create(AwsBasicCredentials.create(own.accessKey(), own.secretKey()));
        }
        return own.profile() == null || serverReplaced ? null : ProfileCredentialsProvider.create(own.profile());
    }

    /** Closes the clients that were built, except the default one, which is a bean. */
    @Override
    public void close() {
        Locked.run(lock, () -> {
            closed = true;
            built.forEach(NamedClients::close);
        });
    }

    private static void close(String name, NamedClient client) {
        try {
            client.closing().run();
        } catch (RuntimeException failure) {
            log.warn("Closing the SQS client '{}' failed", name, failure);
        }
    }
}
