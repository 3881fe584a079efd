/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.client;

import io.github.batchsqs.autoconfigure.internal.embedded.EmbeddedEndpoint;
import io.github.batchsqs.autoconfigure.internal.settings.NamedClientSettings;
import io.github.batchsqs.client.HttpClientOptions;
import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.client.sdk.AwsDeadLetterRedrive;
import io.github.batchsqs.client.sdk.AwsQueueResolver;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/** Builds the clients of {@code batchsqs.clients} as the default client is built, each with a pool of connections of its own. */
final class NamedClientFactory {

    private final ObjectProvider<SqsClientFactory> sqsClients;
    private final ObjectProvider<EmbeddedEndpoint> embedded;
    private final boolean direct;
    private final HttpClientOptions options;

    NamedClientFactory(
            ObjectProvider<SqsClientFactory> sqsClients,
            ObjectProvider<EmbeddedEndpoint> embedded,
            boolean direct,
            HttpClientOptions options) {
        this.options = options;
        this.sqsClients = sqsClients;
        this.embedded = embedded;
        this.direct = direct;
    }

    NamedClient create(String name, NamedClientSettings settings) {
        SqsClientFactory factory = sqsClients.getObject();
        var http = new SharedHttpClient(options);
        AwsCredentialsProvider credentials = credentials(settings.credentials(), factory.isServerReplaced());
        AssumedRole role = factory.role(name, settings);
        SqsClient sqs = factory.create(name, http, settings, credentials, role);
        QueueClient queues = QueueClients.of(sqs, http.built(), direct);
        EmbeddedEndpoint server = embedded.getIfAvailable();
        return new NamedClient(
                server == null ? queues : server.withoutLoss(queues),
                new AwsQueueResolver(sqs),
                () -> new AwsDeadLetterRedrive(sqs),
                () -> sqs,
                () -> close(sqs, role, credentials));
    }

    private static void close(SqsClient sqs, @Nullable AssumedRole role, @Nullable AwsCredentialsProvider credentials) {
        sqs.close();
        if (role != null) {
            role.close();
        }
        if (credentials instanceof SdkAutoCloseable closeable) {
            closeable.close();
        }
    }

    /**
     * Returns the client's own credentials, or {@code null} for those of the default client.
     *
     * @param serverReplaced whether a test server takes the calls: it knows accounts by their keys, perhaps, but no profiles
     */
    private static @Nullable AwsCredentialsProvider credentials(
            NamedClientSettings.Credentials settings, boolean serverReplaced) {
        if (settings.accessKey() != null && settings.secretKey() != null) {
            return StaticCredentialsProvider.create(
                    AwsBasicCredentials.create(settings.accessKey(), settings.secretKey()));
        }
        return settings.profile() == null || serverReplaced
                ? null
                : ProfileCredentialsProvider.create(settings.profile());
    }
}
