/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

/** The threads on which providers are asked for credentials. */
final class CredentialThreads {

    private CredentialThreads() {}

    static void ask(Runnable task) {
        Thread.ofVirtual().name("batchsqs-credentials").start(task);
    }
}
