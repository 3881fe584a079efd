/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks;

import io.github.batchsqs.benchmarks.run.Row;
import io.github.batchsqs.benchmarks.run.RowRunner;
import java.net.URI;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/** One row in this process; the last line of the output is the measurement as JSON. */
@Command(name = "row", description = "Runs one row against a simulated SQS that runs already.")
final class RowCommand implements Callable<Integer> {

    @Option(names = "--endpoint", required = true, description = "Of the simulated SQS.")
    private URI endpoint = URI.create("");

    @Option(names = "--name", required = true, description = "The row.")
    private String name = "";

    @Option(names = "--warm-up", description = "Seconds.", defaultValue = "20")
    private int warmUp;

    @Override
    public Integer call() throws Exception {
        Row row = Rows.all().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no row " + name));
        System.out.println(JsonMapper.shared().writeValueAsString(new RowRunner(row, endpoint, warmUp).run()));
        System.out.flush();
        Runtime.getRuntime().halt(0);
        return 0;
    }
}
