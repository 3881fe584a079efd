/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks;

import io.github.batchsqs.benchmarks.simulator.SelfSigned;
import io.github.batchsqs.benchmarks.simulator.Simulator;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The simulated SQS as a process of its own: it prints its endpoints in one line, and ends when its standard input does. */
@Command(name = "simulator", description = "Runs the simulated SQS until standard input ends.")
final class SimulatorCommand implements Callable<Integer> {

    @Option(names = "--port", description = "The port; a free one by default.", defaultValue = "0")
    private int port;

    @Option(names = "--forever", description = "Ignore the end of standard input.")
    private boolean forever;

    @Option(
            names = "--key-store",
            description = "Of the certificate, as the benchmarks create it; with it there is a second port with TLS.")
    private @Nullable Path keyStore;

    @Override
    public Integer call() throws Exception {
        try (Simulator simulator =
                keyStore == null ? Simulator.start(port) : Simulator.start(port, new SelfSigned(keyStore))) {
            System.out.println(
                    keyStore == null
                            ? simulator.endpoint().toString()
                            : simulator.endpoint() + " " + simulator.tlsEndpoint());
            System.out.flush();
            if (forever) {
                simulator.awaitClosed();
            } else {
                long unused = System.in.transferTo(OutputStream.nullOutputStream());
            }
        }
        return 0;
    }
}
