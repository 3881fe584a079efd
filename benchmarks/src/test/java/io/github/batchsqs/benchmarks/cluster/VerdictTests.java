/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.benchmarks.cluster.Verdict.Fault;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VerdictTests {

    private static final List<String> IN_ORDER = List.of("B 10 a g 1 0", "E 20 a", "B 30 b g 2 0", "E 40 b");

    @Test
    void eachMessageThatRanOnceInOrderIsFine() {
        Verdict verdict = new Verdict(Map.of("1", IN_ORDER, "2", List.of()), null);

        assertThat(verdict.lost(2)).isZero();
        assertThat(verdict.repeated()).isZero();
        assertThat(verdict.outOfOrder()).isZero();
        assertThat(verdict.delayMillis(0.5)).isEqualTo(0.03);
        assertThat(verdict.lowestShare()).isZero();
        assertThat(verdict.highestShare()).isEqualTo(2);
    }

    @Test
    void aMessageThatNeverEndedIsLost() {
        assertThat(new Verdict(Map.of("1", List.of("B 10 a null 0 0")), null).lost(1))
                .isOne();
    }

    @Test
    void aRepeatIsExplainedOnlyByTheFaultyInstance() {
        Map<String, List<String>> ledgers = Map.of("1", IN_ORDER, "2", List.of("B 90 b g 2 0", "E 95 b"));

        assertThat(new Verdict(ledgers, null).unexplained()).isOne();
        assertThat(new Verdict(ledgers, new Fault(1, 35, 36)).unexplained()).isZero();
        assertThat(new Verdict(ledgers, new Fault(1, 35, 36)).repeated()).isOne();
        assertThat(new Verdict(ledgers, new Fault(3, 35, 36)).unexplained()).isOne();
    }

    @Test
    void theFaultyInstanceExplainsNoRepeatByTwoOthers() {
        Map<String, List<String>> ledgers = Map.of(
                "1", IN_ORDER,
                "2", List.of("B 90 b g 2 0", "E 95 b"),
                "3", List.of("B 98 b g 2 0", "E 99 b"));

        assertThat(new Verdict(ledgers, new Fault(1, 35, 36)).repeated()).isEqualTo(2);
        assertThat(new Verdict(ledgers, new Fault(1, 35, 36)).unexplained()).isOne();
    }

    @Test
    void aFaultExplainsNoRepeatOfWhatHadEndedLongBefore() {
        Map<String, List<String>> ledgers =
                Map.of("1", List.of("B 10 a g 1 0", "E 20 a"), "2", List.of("B 3000000 a g 1 0", "E 3000005 a"));

        assertThat(new Verdict(ledgers, new Fault(1, 900_000, 900_001)).unexplained())
                .isZero();
        assertThat(new Verdict(ledgers, new Fault(1, 1_100_000, 1_100_001)).unexplained())
                .isOne();
    }

    @Test
    void aFaultExplainsNoRepeatOfWhatTheProcessAfterItHasRun() {
        Map<String, List<String>> ledgers =
                Map.of("1", List.of("B 5 x g 1 0", "B 80 a g 2 0", "E 85 a"), "2", List.of("B 90 a g 2 0", "E 95 a"));

        assertThat(new Verdict(ledgers, new Fault(1, 10, 20)).unexplained()).isOne();
        assertThat(new Verdict(ledgers, new Fault(1, 10, 80)).unexplained()).isZero();
    }

    @Test
    void countsTheHandlersThatRun() {
        assertThat(Verdict.running(IN_ORDER)).isZero();
        assertThat(Verdict.running(List.of("B 10 a g 1 0", "B 11 b h 2 0", "E 20 a")))
                .isOne();
    }

    @Test
    void countsWhatBeganOnAnInstance() {
        Verdict verdict = new Verdict(Map.of("0", List.of(), "1", IN_ORDER), null);

        assertThat(verdict.begun(0)).isZero();
        assertThat(verdict.begun(1)).isEqualTo(2);
    }

    @Test
    void aMessageThatBeginsBeforeTheOneAheadOfItHasEndedIsOutOfOrder() {
        List<String> lines = List.of("B 10 a g 1 0", "B 15 b g 2 0", "E 20 a", "E 40 b");

        assertThat(new Verdict(Map.of("1", lines), null).outOfOrder()).isOne();
    }
}
