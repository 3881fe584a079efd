/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import io.github.batchsqs.testkit.JavaProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Handlers that hold every carrier, each case in a JVM of its own with two processors. {@link ComputingProcess} has the cases; it ends with
 * 0 if all was well.
 */
class ComputingHandlersTests {

    @TempDir
    private Path directory;

    @Test
    void leasesAreKeptAndMessagesDeletedWhileOtherCodeHoldsAllCarriers() throws Exception {
        run("other-code");
    }

    @Test
    void handledMessagesAreDeletedAndOthersReceivedWhileOtherCodeHoldsAllCarriers() throws Exception {
        run("deletes");
    }

    @Test
    void aStopReturnsWhatDidNotRunWhileAllHandlersCompute() throws Exception {
        run("stop");
    }

    private void run(String what) throws Exception {
        Path log = directory.resolve("process.log");
        List<String> options = List.of("-XX:ActiveProcessorCount=2");
        try (JavaProcess process = JavaProcess.start(ComputingProcess.class, log, options, List.of(what))) {
            process.awaitGoodEnd(() -> Files.size(log));
        }
    }
}
