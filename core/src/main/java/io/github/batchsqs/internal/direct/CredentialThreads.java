/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

/** The threads on which providers are asked for credentials: platform threads, which computing virtual threads do not keep. */
final class CredentialThreads {

    private CredentialThreads() {}

    static void ask(Runnable task) {
        Thread.ofPlatform().daemon().name("batchsqs-credentials").start(task);
    }
}
