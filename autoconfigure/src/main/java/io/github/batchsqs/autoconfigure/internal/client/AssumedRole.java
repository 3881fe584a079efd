/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.client;

import java.net.URI;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkPlugin;
import software.amazon.awssdk.core.SdkServiceClientConfiguration;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.sqs.SqsServiceClientConfiguration;
import software.amazon.awssdk.services.sts.StsClient;
import software.amazon.awssdk.services.sts.StsClientBuilder;
import software.amazon.awssdk.services.sts.auth.StsAssumeRoleCredentialsProvider;

/**
 * Replaces the credentials of a client by those of a role, which they assume in the region of the client. The SDK applies it last,
 * when region and credentials are known. Needs the STS client on the class path.
 */
final class AssumedRole implements SdkPlugin, AutoCloseable {

    private static final int MAX_SESSION_NAME = 64;

    private final String role;
    private final String session;
    private final @Nullable URI endpoint;
    private @Nullable StsAssumeRoleCredentialsProvider credentials;
    private @Nullable StsClient sts;

    /**
     * Creates the role of a named client.
     *
     * @param endpoint that of all services, or {@code null} for that of AWS
     */
    AssumedRole(String client, String role, @Nullable URI endpoint) {
        String name = "batchsqs-" + client;
        this.role = role;
        this.session = name.substring(0, Math.min(name.length(), MAX_SESSION_NAME));
        this.endpoint = endpoint;
    }

    /** Called again if the SDK refuses to build the client and is asked once more. */
    @Override
    public void configureClient(SdkServiceClientConfiguration.Builder configuration) {
        close();
        var client = (SqsServiceClientConfiguration.Builder) configuration;
        StsClientBuilder builder = StsClient.builder()
                .region(client.region())
                .credentialsProvider(client.credentialsProvider())
                .httpClientBuilder(Apache5HttpClient.builder());
        if (endpoint != null) {
            builder.endpointOverride(endpoint);
        }
        StsClient caller = builder.build();
        sts = caller;
        credentials = StsAssumeRoleCredentialsProvider.builder()
                .stsClient(caller)
                .refreshRequest(request -> request.roleArn(role).roleSessionName(session))
                .build();
        client.credentialsProvider(credentials);
    }

    @Override
    public void close() {
        if (credentials != null) {
            credentials.close();
        }
        if (sts != null) {
            sts.close();
        }
    }
}
