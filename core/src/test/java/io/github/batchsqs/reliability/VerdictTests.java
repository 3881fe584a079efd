/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.reliability.Ledger.Event;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The checker sees what it is there to see. */
class VerdictTests {

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        # what happened | the ledger | accepted | lost | run again | sent twice | unexplained | out of order
        sent, run and deleted                      | SENT 1 a:0 x; RUN 2 a:0 x; DELETED 2 a:0 x              | 1 | 0 | 0 | 0 | 0 | 0
        accepted, and never run                    | SENT 1 a:0 x; SENT 1 a:1 y; RUN 2 a:0 x                 | 2 | 1 | 0 | 0 | 0 | 0
        run again by another process               | SENT 1 a:0 x; RUN 2 a:0 x; RUN 3 a:0 x                  | 1 | 0 | 1 | 0 | 0 | 0
        run by another process after its delete    | SENT 1 a:0 x; RUN 2 a:0 x; DELETED 2 a:0 x; RUN 3 a:0 x | 1 | 0 | 1 | 0 | 1 | 0
        run twice in one process                   | SENT 1 a:0 x; RUN 2 a:0 x; RUN 2 a:0 x                  | 1 | 0 | 1 | 0 | 1 | 0
        two messages with one body                 | SENT 1 a:0 y; RUN 2 a:0 x; RUN 2 a:0 y                  | 1 | 0 | 0 | 1 | 0 | 0
        a first run after a later one of its group | RUN 2 a:1 y; RUN 2 b:0 z; RUN 2 a:0 x                   | 0 | 0 | 0 | 0 | 0 | 1
        a redelivery after a later one             | RUN 2 a:0 x; RUN 2 a:1 y; RUN 3 a:0 x                   | 0 | 0 | 1 | 0 | 0 | 0
        """)
    void countsWhatIsWrong(
            String what,
            String ledger,
            int accepted,
            int lost,
            int rerun,
            int sentTwice,
            int unexplained,
            int outOfOrder) {
        List<Event> events = Stream.of(ledger.split("; ")).map(Event::parse).toList();
        assertThat(Verdict.of(events))
                .as(what)
                .isEqualTo(new Verdict(accepted, lost, rerun, sentTwice, unexplained, outOfOrder));
    }
}
