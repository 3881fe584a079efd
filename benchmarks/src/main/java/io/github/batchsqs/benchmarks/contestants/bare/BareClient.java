/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.contestants.bare;

import io.github.batchsqs.benchmarks.contestants.Callers;
import io.github.batchsqs.benchmarks.run.Listening;
import io.github.batchsqs.benchmarks.run.MessageHandler;
import io.github.batchsqs.benchmarks.run.Sending;
import io.github.batchsqs.benchmarks.run.Target;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.GeneralSecurityException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Blocking sockets on virtual threads, one for each connection, without any object of the SDK. Requests are signed.
 * No lease is kept, no failure is dealt with, no digest is compared, nothing is counted.
 *
 * @param connections how many
 */
public record BareClient(int connections) implements Listening {

    /** Receives ten, handles them as one list, and deletes them. */
    @Override
    public void start(Target target, MessageHandler handler) {
        for (int i = 0; i < connections; i++) {
            Thread unused = Thread.ofVirtual().name("bare-" + i).start(() -> {
                try {
                    listen(new BareQueue(target), handler);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                } catch (GeneralSecurityException e) {
                    throw new IllegalStateException(e);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
    }

    private static void listen(BareQueue queue, MessageHandler handler)
            throws IOException, GeneralSecurityException, InterruptedException {
        while (!Thread.currentThread().isInterrupted()) {
            BareMessages messages = queue.receive();
            if (!messages.bodies().isEmpty()) {
                handler.handle(messages.bodies());
                queue.delete(messages.handles());
            }
        }
    }

    /** Sends ten at a time. */
    public Sending sending() {
        return target -> {
            BlockingQueue<BareQueue> free = new LinkedBlockingQueue<>();
            for (int i = 0; i < connections; i++) {
                free.add(new BareQueue(target));
            }
            return load -> Callers.run(connections, load.messages() / 10, batch -> {
                BareQueue queue = free.take();
                queue.send(load, batch * 10);
                free.add(queue);
            });
        };
    }
}
