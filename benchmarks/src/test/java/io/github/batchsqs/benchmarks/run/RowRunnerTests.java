/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.benchmarks.run.Row.Contestant;
import io.github.batchsqs.benchmarks.simulator.Simulator;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Rows on a simulator in this process. */
class RowRunnerTests {

    @Test
    void aRoundDoesNotBeginWithTheBacklogOfAnUnfinishedOne() throws Exception {
        try (Simulator simulator = Simulator.start(0)) {
            List<Target> targets = new ArrayList<>();
            Work work = new Work.Drain(4, 7, 100, 0, Work.Handler.NOTHING, false);
            RowRunner runner = runner(simulator, work, Contestant.of((target, handler) -> targets.add(target)));

            runner.warmUp(1);
            Measurement measurement = runner.measure();

            assertThat(measurement.rounds()).extracting(Round::messages).containsExactly(0L);
            assertThat(visible(simulator.endpoint(), targets.getFirst())).isEqualTo("7");
        }
    }

    @Test
    void measuresOneRoundEachTimeItIsToldTo() throws Exception {
        try (Simulator simulator = Simulator.start(0)) {
            List<Integer> sent = new ArrayList<>();
            Contestant contestant = Contestant.of(target -> load -> sent.add(load.messages()));
            RowRunner runner = runner(simulator, new Work.Send(4, 7, 100, 1, false), contestant);

            runner.warmUp(1);
            Measurement first = runner.measure();
            Measurement second = runner.measure();

            assertThat(sent).containsExactly(4, 7, 7);
            assertThat(List.of(first, second)).allSatisfy(each -> {
                assertThat(each.rounds()).hasSize(1);
                assertThat(each.idleCpu()).isNotNull();
            });
        }
    }

    /** The latency is one at which there is no rule for the warm-up. */
    private static RowRunner runner(Simulator simulator, Work work, Contestant contestant) throws Exception {
        Row row = new Row("suite/shape/row", "row", "", 30_000, 0, work, contestant, false, false);
        return new RowRunner(row, simulator.endpoint(), simulator.endpoint());
    }

    private static String visible(URI endpoint, Target target) {
        try (SqsClient sqs = SqsClient.builder()
                .endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                .httpClientBuilder(Apache5HttpClient.builder())
                .build()) {
            return String.valueOf(sqs.getQueueAttributes(request -> request.queueUrl(target.url())
                            .attributeNames(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES))
                    .attributes()
                    .get(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES));
        }
    }
}
