/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.reliability.Ledger.Event;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The checker sees what it is there to see. */
class VerdictTests {

    @Test
    void nothingIsWrongWithAMessageThatIsSentRunAndDeleted() {
        assertThat(verdict("SENT 1 a:0 x", "RUN 2 a:0 x", "DELETED 2 a:0 x")).isEqualTo(new Verdict(1, 0, 0, 0, 0, 0));
    }

    @Test
    void anAcceptedMessageThatNeverRanIsLost() {
        assertThat(verdict("SENT 1 a:0 x", "SENT 1 a:1 y", "RUN 2 a:0 x").lost())
                .isEqualTo(1);
    }

    @Test
    void aRunByAnotherProcessIsExplainedUnlessTheMessageWasDeleted() {
        assertThat(verdict("SENT 1 a:0 x", "RUN 2 a:0 x", "RUN 3 a:0 x")).isEqualTo(new Verdict(1, 0, 1, 0, 0, 0));
        assertThat(verdict("SENT 1 a:0 x", "RUN 2 a:0 x", "DELETED 2 a:0 x", "RUN 3 a:0 x"))
                .isEqualTo(new Verdict(1, 0, 1, 0, 1, 0));
    }

    @Test
    void aSecondRunInOneProcessIsNotExplained() {
        assertThat(verdict("SENT 1 a:0 x", "RUN 2 a:0 x", "RUN 2 a:0 x").unexplained())
                .isEqualTo(1);
    }

    @Test
    void twoMessagesWithOneBodyWereSentTwice() {
        assertThat(verdict("SENT 1 a:0 y", "RUN 2 a:0 x", "RUN 2 a:0 y")).isEqualTo(new Verdict(1, 0, 0, 1, 0, 0));
    }

    @Test
    void aFirstRunAfterALaterOneOfItsLaneIsOutOfOrderAndARedeliveryIsNot() {
        assertThat(verdict("RUN 2 a:1 y", "RUN 2 b:0 z", "RUN 2 a:0 x").outOfOrder())
                .isEqualTo(1);
        assertThat(verdict("RUN 2 a:0 x", "RUN 2 a:1 y", "RUN 3 a:0 x").outOfOrder())
                .isZero();
    }

    private static Verdict verdict(String... lines) {
        List<Event> events = Stream.of(lines).map(Event::parse).toList();
        return Verdict.of(events);
    }
}
