/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.embedded;

import io.github.batchsqs.internal.client.QueueClient;
import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/**
 * Where the SQS clients of the context find the embedded server. Clients of other services are none of its business.
 *
 * @param uri the server's address
 */
public record EmbeddedEndpoint(URI uri) {

    static final String REGION = "us-east-1";

    /** Returns credentials: the server takes any, but the SDK wants some. */
    public AwsCredentialsProvider credentials() {
        return StaticCredentialsProvider.create(AwsBasicCredentials.create("embedded", "embedded"));
    }

    /** Returns a client that loses no message when a receive is aborted. */
    public QueueClient withoutLoss(QueueClient client) {
        return new ShortReceives(client);
    }
}
