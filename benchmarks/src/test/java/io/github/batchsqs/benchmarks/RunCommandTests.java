/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class RunCommandTests {

    @ParameterizedTest
    @CsvSource({
        "wire,false",
        "wire peer-search,false",
        "wire --resume,false",
        "wire --rows receive-list-standard/*,true",
        "concurrency,false",
        "effectively-once,false",
        "effectively-once --rows growth/*,true",
        "simulation,false",
        "simulation --rows many/*,true",
        "--quick,true",
        "wire --passes 1,true",
        "wire --warm-up 3,true"
    })
    void lessThanAWholeSuiteWritesElsewhere(String arguments, boolean elsewhere) {
        RunCommand command = new RunCommand();
        CommandLine.ParseResult unused = new CommandLine(command).parseArgs(arguments.split(" ", -1));

        assertThat(command.trial()).isEqualTo(elsewhere);
    }

    @Test
    void theResultsOfTheClusterAreOnAllPagesThatShowThem(@TempDir Path folder) throws IOException {
        for (String file : List.of("cluster.json", "simulation.json", "reliability.tsv")) {
            Path unused = Files.copy(Path.of("results", file), folder.resolve(file));
        }

        RunCommand.writeClusterPages(folder, folder);

        assertThat(folder.resolve("cluster.md")).content().contains("# Several instances");
        assertThat(folder.resolve("simulation.md")).content().contains("## Beside the processes");
        assertThat(folder.resolve("reliability.md")).content().contains("one of 8 instances is killed");
    }

    /** The pages of the repository, so that none of them has figures of an earlier run. */
    @ParameterizedTest
    @ValueSource(strings = {"cluster.md", "simulation.md", "reliability.md"})
    void thePagesOfTheClusterHaveItsResults(String page, @TempDir Path folder) throws IOException {
        Path repository = Files.createDirectories(folder.resolve("benchmarks/results"));
        for (String file : List.of("cluster.json", "simulation.json", "reliability.tsv")) {
            Path unused = Files.copy(Path.of("results", file), repository.resolve(file));
        }
        Path pages = folder.resolve("docs/benchmarks");

        RunCommand.writeClusterPages(repository, pages);

        assertThat(pages.resolve(page))
                .as("benchmarks/run cluster --report-only writes the pages again")
                .content()
                .isEqualTo(Files.readString(Path.of("../docs/benchmarks", page)));
    }
}
