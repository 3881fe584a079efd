/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import io.github.batchsqs.autoconfigure.internal.client.NamedClients;
import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import io.github.batchsqs.autoconfigure.internal.embedded.EmbeddedEndpoint;
import io.github.batchsqs.autoconfigure.internal.options.LayeredSettings;
import io.github.batchsqs.client.QueueNotFoundException;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.support.UserInformation;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ListenerStartException;
import io.github.batchsqs.receive.ListenerContainer;
import org.springframework.beans.factory.ObjectProvider;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Explains why a listener did not start, with the settings that help. */
record StartFailures(NamedClients clients, ObjectProvider<EmbeddedEndpoint> embedded) {

    /** The start of the SDK's message about missing credentials. */
    private static final String NO_CREDENTIALS = "Unable to load credentials";

    /** @param container the listener that did not start */
    RuntimeException explain(ListenerStartException failure, ListenerContainer container) {
        String listener = failure.listener();
        ListenerOptions options = container.options();
        if (failure.getCause() instanceof InvalidOptionException broken) {
            return LayeredSettings.renamed(broken, LayeredSettings.keyOfListener(listener, broken.option()));
        }
        if (failure.getCause() instanceof QueueNotFoundException notFound) {
            String queue = UserInformation.mask(notFound.queue());
            String missing = where(options) + " or is not visible with these credentials.";
            String create = embedded.getIfAvailable() != null
                    ? "Add the queue to batchsqs.embedded.queues"
                    : "Create the queue";
            String deadLetter = options.failure().deadLetter();
            return notFound.queue().equals(deadLetter) && !deadLetter.equals(options.queue())
                    ? new SetupException(
                            "The dead-letter queue '" + queue + "' of the listener '" + listener + "' does not exist"
                                    + missing,
                            create + ", or correct " + LayeredSettings.keyOfListener(listener, "failure.dead-letter")
                                    + ": the name of a queue that exists, redrive-policy (the dead-letter queue of the"
                                    + " queue's redrive policy) or none.",
                            failure)
                    : new SetupException(
                            "The listener '" + listener + "' reads the queue '" + queue + "', which does not exist"
                                    + missing,
                            create
                                    + ", correct its name, or set batchsqs.listener.queue-not-found=create to create it at"
                                    + " start, or =wait to wait for it ("
                                    + LayeredSettings.keyOfListener(listener, "queue-not-found")
                                    + " for this listener alone).",
                            failure);
        }
        Throwable reason = failure.getCause() == null ? failure : failure.getCause();
        String message = String.valueOf(reason.getMessage());
        if (message.contains(NO_CREDENTIALS)) {
            return new SetupException(
                    "The listener '" + listener + "' did not start, because no AWS credentials were found.",
                    "Set " + credentialsKeys(options.client()) + ", or give the process a role or the variables"
                            + " AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. To develop without an account, set"
                            + " batchsqs.embedded.enabled=true.",
                    failure);
        }
        return new SetupException(
                "The listener '" + listener + "' did not start: " + message,
                "Correct the cause: the client calls SQS" + where(options) + ", as " + regionKeys(options.client())
                        + " say. Or set " + LayeredSettings.keyOfListener(listener, "auto-startup")
                        + "=false to start the application without it.",
                failure);
    }

    private static String credentialsKeys(String client) {
        return client.equals(QueueClient.DEFAULT_NAME)
                ? "spring.cloud.aws.credentials.access-key and .secret-key, or spring.cloud.aws.credentials.profile.name"
                : "batchsqs.clients." + client + ".credentials.access-key and .secret-key, or .profile";
    }

    private static String regionKeys(String client) {
        return client.equals(QueueClient.DEFAULT_NAME)
                ? "spring.cloud.aws.region.static, spring.cloud.aws.sqs.endpoint if it is set"
                : "batchsqs.clients." + client + ".region and .endpoint";
    }

    private String where(ListenerOptions options) {
        SqsClient sqs = clients.get(options.client()).sqs().get();
        if (sqs == null) {
            return "";
        }
        var configuration = sqs.serviceClientConfiguration();
        String endpoint = configuration
                .endpointOverride()
                .map(uri -> " (" + UserInformation.mask(uri.toString()) + ")")
                .orElse("");
        return " in the region " + configuration.region() + endpoint;
    }
}
