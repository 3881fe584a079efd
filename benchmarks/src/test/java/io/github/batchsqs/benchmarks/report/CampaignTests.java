/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.benchmarks.report.Campaign.Effort;
import io.github.batchsqs.benchmarks.run.Measurement;
import io.github.batchsqs.benchmarks.run.Row;
import io.github.batchsqs.benchmarks.run.Work;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In which order contestants start, take their turns and end. */
class CampaignTests {

    private static final Work WORK = new Work.Drain(1, 1, 100, 1, Work.Handler.NOTHING, false);

    private final List<String> done = new ArrayList<>();
    private final Set<String> hanging = new HashSet<>();

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @Test
    void allContestantsOfAScenarioAreWarmBeforeTheyTakeTurns() throws Exception {
        run(2, false, row("a/one", 10), row("a/two", 10), row("b/one", 10));

        assertThat(done)
                .containsExactly(
                        "start a/one",
                        "start a/two",
                        "a/one",
                        "a/two",
                        "a/one",
                        "a/two",
                        "end a/one",
                        "end a/two",
                        "start b/one",
                        "b/one",
                        "b/one",
                        "end b/one");
    }

    @Test
    void aRowThatTheCpuDoesNotLimitHasAFreshProcessInEachPass() throws Exception {
        run(2, false, row("a/one", 170));

        assertThat(done).containsExactly("start a/one", "a/one", "end a/one", "start a/one", "a/one", "end a/one");
    }

    @Test
    void theSuiteGoesOnWithoutARowThatFails() throws Exception {
        hanging.add("a/one");
        hanging.add("start b/one");

        run(2, false, row("a/one", 10), row("a/two", 10), row("b/one", 10), row("c/one", 170));

        assertThat(results()).containsExactly("s/a/two", "s/a/two", "s/c/one", "s/c/one");
        assertThat(done).containsOnlyOnce("a/one", "start b/one").contains("end a/one");
    }

    @Test
    void aResumedRunMeasuresWhatIsMissing() throws Exception {
        run(1, false, row("a/one", 10));
        done.clear();

        run(2, true, row("a/one", 10), row("a/two", 10));

        assertThat(done)
                .containsExactly("start a/one", "start a/two", "a/two", "a/one", "a/two", "end a/one", "end a/two");
    }

    @Test
    void aNewRunForgetsTheOneBefore() throws Exception {
        run(2, false, row("a/one", 10));

        run(1, false, row("a/two", 10));

        assertThat(results()).containsExactly("s/a/two");
    }

    private void run(int passes, boolean resume, Row... rows) throws IOException, InterruptedException {
        new Campaign("s", List.of(rows), new Effort(passes, 1), resume, folder).run("benchmarks/run s", this::start);
    }

    private List<String> results() {
        return Results.read(Results.file(folder, "s")).measurements().stream()
                .map(Measurement::row)
                .toList();
    }

    private Starter.Started start(Row row) throws IOException {
        String name = row.name().substring("s/".length());
        happens("start " + name);
        return new Starter.Started() {
            @Override
            public Measurement measure() throws IOException {
                happens(name);
                return new Measurement(row.name(), null, List.of(), 0, 0, 0.0);
            }

            @Override
            public void close() {
                done.add("end " + name);
            }
        };
    }

    private void happens(String what) throws IOException {
        done.add(what);
        if (hanging.contains(what)) {
            throw new IOException("Row hangs");
        }
    }

    private static Row row(String name, int latencyMillis) {
        Row.Contestant contestant = Row.Contestant.of((target, handler) -> {});
        return new Row("s/" + name, name, "", latencyMillis * 1_000, 0, WORK, contestant, false, false);
    }
}
