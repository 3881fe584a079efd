/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import java.time.Duration;

/**
 * For how long calls of one kind fail.
 *
 * @param meaning what that means
 * @param lasting for how long SQS has accepted none although some were tried; zero if it accepted the last one, or that one is long ago
 */
public record FailingCalls(Meaning meaning, Duration lasting) {

    /**
     * What it means if calls of one kind fail for long.
     *
     * @param what what SQS does not accept, for example {@code delete}
     * @param effect what becomes of messages meanwhile
     * @param permission what the credentials may lack
     */
    public record Meaning(String what, String effect, String permission) {}
}
