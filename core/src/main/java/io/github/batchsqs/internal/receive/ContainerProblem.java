/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ReceiveFailure;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Decides whether a container that runs can do its work. Pure. */
final class ContainerProblem {

    private ContainerProblem() {}

    /**
     * What fails.
     *
     * @param begins for how long the executor has held all invocations and begun none
     * @param deletes for how long SQS has accepted no delete
     * @param visibilityChanges for how long SQS has accepted no visibility change
     * @param deadLetters for how long SQS has accepted no message for a dead-letter queue
     * @param receives how the last receive failed; {@code null} if it succeeded
     */
    record Failing(
            Duration begins,
            Duration deletes,
            Duration visibilityChanges,
            Duration deadLetters,
            @Nullable ReceiveFailure receives) {}

    /**
     * Returns why the container cannot do its work, in words, or {@code null} if it can or is not meant to.
     *
     * @param failing the calls that fail
     * @param lease the visibility timeout of a receive
     */
    static @Nullable String find(ContainerState state, Failing failing, Duration lease) {
        if (state != ContainerState.RUNNING && state != ContainerState.PAUSED) {
            return null;
        }
        ReceiveFailure receives = state == ContainerState.RUNNING ? failing.receives() : null;
        if (failing.begins().compareTo(lease) > 0) {
            return "the executor has taken all batches that may run at once and begun none of them for "
                    + longerThanLease(failing.begins(), lease)
                    + "; let it run each task once, or refuse it with a RejectedExecutionException";
        }
        if (failing.deletes().compareTo(lease) > 0) {
            return notAccepted("delete", failing.deletes(), lease) + ", so handled messages are delivered again"
                    + remedy("sqs:DeleteMessage", receives);
        }
        if (failing.visibilityChanges().compareTo(lease) > 0) {
            return notAccepted("visibility change", failing.visibilityChanges(), lease)
                    + ", so messages whose handlers run longer are delivered twice"
                    + remedy("sqs:ChangeMessageVisibility", receives);
        }
        if (failing.deadLetters().compareTo(lease) > 0) {
            return notAccepted("message for the dead-letter queue", failing.deadLetters(), lease)
                    + ", so messages that can never be handled return to the queue"
                    + remedy("sqs:SendMessage on the dead-letter queue", receives);
        }
        return null;
    }

    private static String notAccepted(String what, Duration failingFor, Duration lease) {
        return "SQS has accepted no " + what + " for " + longerThanLease(failingFor, lease);
    }

    /** One missing permission explains no failure of receives. */
    private static String remedy(String permission, @Nullable ReceiveFailure receives) {
        return receives == null
                ? "; check the permission " + permission + ", and the network between here and SQS"
                : "; every receive fails too, the last one with " + receives.code()
                        + ": check the endpoint, the credentials, and the network between here and SQS";
    }

    private static String longerThanLease(Duration duration, Duration lease) {
        return Check.text(duration.truncatedTo(ChronoUnit.SECONDS))
                + ", which is longer than the visibility timeout of " + Check.text(lease);
    }
}
