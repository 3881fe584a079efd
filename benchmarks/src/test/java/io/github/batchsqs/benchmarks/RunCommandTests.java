/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
}
