/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PodsTests {

    private final Pods pods = new Pods(4, 0);

    @Test
    void countsPodsFromTheDecisionToTheDecision() {
        int unused = pods.start(10);
        unused = pods.start(10);
        unused = pods.stop(40);

        assertThat(pods.count()).isEqualTo(2);
        assertThat(pods.nanos(100)).isEqualTo(100 + 90 + 30);
    }

    @Test
    void noInstanceThatHasJustStoppedStartsBeforeTheOthers() {
        assertThat(pods.start(10)).isOne();
        assertThat(pods.stop(20)).isOne();
        assertThat(pods.start(30)).isEqualTo(2);
        assertThat(pods.start(30)).isEqualTo(3);
        assertThat(pods.start(30)).isOne();
    }

    @Test
    void thereMayBeNone() {
        assertThat(pods.stop(20)).isZero();
        assertThat(pods.count()).isZero();
        assertThat(pods.nanos(100)).isEqualTo(20);
    }
}
