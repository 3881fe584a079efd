/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks;

import io.github.batchsqs.benchmarks.simulator.Simulator;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The simulated SQS as a process of its own: it prints its endpoint, and ends when its standard input does. */
@Command(name = "simulator", description = "Runs the simulated SQS until standard input ends.")
final class SimulatorCommand implements Callable<Integer> {

    @Option(names = "--port", description = "The port; a free one by default.", defaultValue = "0")
    private int port;

    @Option(names = "--forever", description = "Ignore the end of standard input.")
    private boolean forever;

    @Override
    public Integer call() throws InterruptedException, IOException {
        try (Simulator simulator = Simulator.start(port)) {
            System.out.println(simulator.endpoint());
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
