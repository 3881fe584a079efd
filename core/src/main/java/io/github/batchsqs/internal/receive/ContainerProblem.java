/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import io.github.batchsqs.internal.receive.settle.FailingCalls;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ReceiveFailure;
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
     * @param begins for how long the executor has held all invocations and begun none
     * @param calls the calls that settle messages
     * @param lastReceive how the last receive failed; {@code null} if it succeeded
     * @param lease the visibility timeout of a receive
     */
    static @Nullable String find(
            ContainerState state,
            Duration begins,
            List<FailingCalls> calls,
            @Nullable ReceiveFailure lastReceive,
            Duration lease) {
        if (state != ContainerState.RUNNING && state != ContainerState.PAUSED) {
            return null;
        }
        if (begins.compareTo(lease) > 0) {
            return "the executor has taken all batches that may run at once and begun none of them for "
                    + longerThanLease(begins, lease)
                    + "; let it run each task once, or refuse it with a RejectedExecutionException";
        }
        for (FailingCalls each : calls) {
            if (each.lasting().compareTo(lease) > 0) {
                FailingCalls.Meaning meaning = each.meaning();
                return "SQS has accepted no " + meaning.what() + " for " + longerThanLease(each.lasting(), lease)
                        + ", so "
                        + meaning.effect()
                        + remedy(meaning.permission(), state == ContainerState.RUNNING ? lastReceive : null);
            }
        }
        return null;
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
