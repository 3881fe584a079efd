/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.contestants.bare;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.benchmarks.run.Sending;
import io.github.batchsqs.benchmarks.run.Target;
import io.github.batchsqs.benchmarks.simulator.Simulator;
import io.github.batchsqs.testkit.Progress;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bare client against the simulated SQS. */
class BareClientTests {

    @ParameterizedTest
    @ValueSource(strings = {"bare", "bare.fifo"})
    void receivesAndDeletesWhatItHasSent(String queue) throws Exception {
        try (Simulator simulator = Simulator.start(0)) {
            URI endpoint = simulator.endpoint();
            control(endpoint, "create?queue=" + queue);
            Target target = new Target(endpoint, queue, endpoint + "/000000000000/" + queue);
            Sending.Load load = new Sending.Load(50, 30, 5, 0);

            new BareClient(3).sending().open(target).send(load);
            Set<String> received = ConcurrentHashMap.newKeySet();
            new BareClient(2).start(target, received::addAll);

            Progress.until(() -> control(endpoint, "stats").contains("\"deleted\":50"));
            assertThat(received)
                    .isEqualTo(IntStream.range(0, 50).mapToObj(load::body).collect(Collectors.toSet()));
        }
    }

    private static String control(URI endpoint, String command) throws IOException {
        try (InputStream response =
                endpoint.resolve("/control/" + command).toURL().openStream()) {
            return new String(response.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
