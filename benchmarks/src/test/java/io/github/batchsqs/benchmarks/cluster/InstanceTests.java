/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** On {@code cat}, which confirms each command by repeating it. */
@DisabledOnOs(OS.WINDOWS)
class InstanceTests {

    @Test
    void aProcessThatHungGoesOn() throws Exception {
        try (Instance instance = start("cat")) {
            instance.hang(0);

            instance.command("start", "standard");
        }
    }

    @Test
    void aCommandWaitsForThoseThatWereNotWaitedFor() throws Exception {
        try (Instance instance = start("cat")) {
            Future<Long> first = instance.later("start", "standard");
            Future<Long> second = instance.later("stop", "standard");
            instance.command("start", "standard");

            assertThat(first.resultNow()).isLessThanOrEqualTo(second.resultNow());
        }
    }

    @Test
    void saysWhenAProcessEndedUnexpectedly() throws Exception {
        try (Instance instance = start("true")) {
            assertThatThrownBy(instance::awaitReady)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("ended unexpectedly");
        }
    }

    @Test
    void knowsHowFarAClockIsAheadAndHowItCalls() throws Exception {
        try (Instance instance = start("sh", "-c", "echo $(($(date +%s) + 3600))000 AWS SDK")) {
            instance.awaitReady();

            assertThat(instance.secondsAhead()).isBetween(3_000L, 3_601L);
            assertThat(instance.calls()).isEqualTo("AWS SDK");
        }
    }

    private static Instance start(String... command) throws IOException {
        return new Instance(new ProcessBuilder(command).start());
    }
}
