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
 * @param stop stops the server and deletes its queues; blocks until it has stopped, and aborts running calls
 */
public record EmbeddedEndpoint(URI uri, Runnable stop) implements AutoCloseable {

    static final String REGION = "us-east-1";

    /** The server takes any, but the SDK wants some. */
    public static final AwsCredentialsProvider CREDENTIALS =
            StaticCredentialsProvider.create(AwsBasicCredentials.create("embedded", "embedded"));

    /** Returns a client that loses no message when a receive is aborted. */
    public QueueClient withoutLoss(QueueClient client) {
        return new ShortReceives(client);
    }

    @Override
    public void close() {
        stop.run();
    }
}
