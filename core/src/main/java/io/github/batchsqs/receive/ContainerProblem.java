/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.support.Check;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides whether a container that runs can do its work. Pure. */
final class ContainerProblem {

    private ContainerProblem() {}

    /**
     * Returns why the container cannot do its work, in words, or {@code null} if it can or is not meant to.
     *
     * @param endedLoops the roles of the loops that ended although the container runs
     * @param deletesFailingFor for how long SQS has accepted no delete
     * @param visibilityChangesFailingFor for how long SQS has accepted no visibility change
     * @param deadLettersFailingFor for how long SQS has accepted no message for a dead-letter queue
     * @param unacknowledgedFor for how long nothing was received or settled because messages wait for their acknowledgements
     * @param lease the visibility timeout of a receive
     */
    static @Nullable String find(
            ContainerState state,
            int pollers,
            List<String> endedLoops,
            Duration deletesFailingFor,
            Duration visibilityChangesFailingFor,
            Duration deadLettersFailingFor,
            Duration unacknowledgedFor,
            Duration lease) {
        if (state != ContainerState.RUNNING && state != ContainerState.PAUSED) {
            return null;
        }
        if (state == ContainerState.RUNNING && pollers == 0) {
            return "no poller runs, so nothing is received; stop and start the listener, and look for the error in the log";
        }
        if (!endedLoops.isEmpty()) {
            return "the timer threads " + endedLoops
                    + " have ended; stop and start the listener, and look for the error in the log";
        }
        if (deletesFailingFor.compareTo(lease) > 0) {
            return notAccepted("delete", deletesFailingFor, lease)
                    + ", so handled messages are delivered again; check the permission sqs:DeleteMessage, and the"
                    + " network between here and SQS";
        }
        if (visibilityChangesFailingFor.compareTo(lease) > 0) {
            return notAccepted("visibility change", visibilityChangesFailingFor, lease)
                    + ", so messages whose handlers run longer are delivered twice; check the permission"
                    + " sqs:ChangeMessageVisibility, and the network between here and SQS";
        }
        if (deadLettersFailingFor.compareTo(lease) > 0) {
            return notAccepted("message for the dead-letter queue", deadLettersFailingFor, lease)
                    + ", so messages that can never be handled return to the queue; check the permission sqs:SendMessage on"
                    + " the dead-letter queue, and the network between here and SQS";
        }
        if (state == ContainerState.RUNNING && unacknowledgedFor.compareTo(lease) > 0) {
            return "messages in flight have every permit, and none was acknowledged or returned for "
                    + longerThanLease(unacknowledgedFor, lease)
                    + ", so nothing is received; acknowledge or return each message, or raise prefetch, concurrency or"
                    + " batch-size if the work takes this long";
        }
        return null;
    }

    private static String notAccepted(String what, Duration failingFor, Duration lease) {
        return "SQS has accepted no " + what + " for " + longerThanLease(failingFor, lease);
    }

    private static String longerThanLease(Duration duration, Duration lease) {
        return Check.text(duration.truncatedTo(ChronoUnit.SECONDS))
                + ", which is longer than the visibility timeout of " + Check.text(lease);
    }
}
