/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import io.github.batchsqs.autoconfigure.internal.options.ListenerSettingsReport;
import io.github.batchsqs.autoconfigure.internal.options.ListenerSettingsReport.Setting;
import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.client.QueueNotFoundException;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.internal.support.UserInformation;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ListenerStartException;
import io.github.batchsqs.receive.ListenerContainer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Explains why a listener did not start, with the settings that help. */
final class StartFailures {

    /** The start of the SDK's message about missing credentials. */
    private static final String NO_CREDENTIALS = "Unable to load credentials";

    private static final String DEAD_LETTER = "failure.dead-letter";

    private final Function<String, @Nullable SqsClient> clients;
    private final ListenerSettingsReport settings;
    private final boolean isEmbedded;

    /**
     * @param clients the client of a name, {@code null} if it is not the SDK's
     * @param settings reports where a setting comes from
     * @param isEmbedded whether the queues are those of the embedded server
     */
    StartFailures(Function<String, @Nullable SqsClient> clients, ListenerSettingsReport settings, boolean isEmbedded) {
        this.clients = clients;
        this.settings = settings;
        this.isEmbedded = isEmbedded;
    }

    /** @param container the listener that did not start */
    RuntimeException explain(ListenerStartException failure, ListenerContainer container) {
        String listener = failure.listener();
        ListenerOptions options = container.options();
        if (failure.getCause() instanceof InvalidOptionException broken) {
            var named = new InvalidOptionException(
                    key(broken.option(), container), broken.rule(), broken.value(), broken.remedy());
            named.initCause(failure);
            return named;
        }
        if (failure.getCause() instanceof QueueNotFoundException notFound) {
            String deadLetter = options.failure().deadLetter();
            if (notFound.queue().equals(deadLetter) && !deadLetter.equals(options.queue())) {
                return new SetupException(
                        "The dead-letter queue '" + UserInformation.mask(deadLetter) + "' of the listener '" + listener
                                + "' does not exist" + where(options) + " or is not visible with these credentials.",
                        (isEmbedded ? "Add the queue to batchsqs.embedded.queues" : "Create the queue")
                                + ", or correct " + key(DEAD_LETTER, container)
                                + ": the name of a queue that exists, redrive-policy (the dead-letter queue of the queue's"
                                + " redrive policy) or none.",
                        failure);
            }
            return new SetupException(
                    "The listener '" + listener + "' reads the queue '" + UserInformation.mask(notFound.queue())
                            + "', which does not exist" + where(options) + " or is not visible with these credentials.",
                    (isEmbedded
                                    ? "Add the queue to batchsqs.embedded.queues, which are created when the embedded server"
                                            + " starts, correct its name, or set"
                                    : "Create the queue, correct its name, or set")
                            + " batchsqs.listener.queue-not-found=create to create it"
                            + " at start, or =wait to wait for it (batchsqs.listeners." + listener
                            + ".queue-not-found for this listener alone).",
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
                        + " say. Or set batchsqs.listeners." + listener
                        + ".auto-startup=false to start the application without it.",
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

    /** Returns the setting as the user wrote it, or with the listener if it is not set or set by code. */
    private String key(String option, ListenerContainer container) {
        Setting setting = settings.of(container).get(option);
        String from = setting == null ? ListenerSettingsReport.DEFAULT : setting.from();
        if (from.startsWith("batchsqs.") || from.startsWith("@")) {
            return from;
        }
        return option + " of the listener '" + container.options().id() + "'"
                + (from.equals(ListenerSettingsReport.DEFAULT) ? "" : " (" + from + ")");
    }

    private String where(ListenerOptions options) {
        SqsClient sqs = clients.apply(options.client());
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
