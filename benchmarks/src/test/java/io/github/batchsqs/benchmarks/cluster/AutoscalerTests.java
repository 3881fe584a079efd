/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.benchmarks.cluster.Autoscaler.Settings;
import org.junit.jupiter.api.Test;

class AutoscalerTests {

    private static final long SYNC = Autoscaler.SYNC_MILLIS;

    private final Autoscaler scaler = new Autoscaler(Settings.of(100, 20), 0);

    @Test
    void wantsTheMessagesDividedByThoseOfAPodRoundedUp() {
        assertThat(scaler.pods(0, 150, 101)).isEqualTo(3);
    }

    @Test
    void addsFourPodsOrAsManyAsThereAreInEachInterval() {
        assertThat(scaler.pods(0, 100_000, 0)).isEqualTo(5);
        assertThat(scaler.pods(SYNC - 1, 100_000, 0)).isEqualTo(5);
        assertThat(scaler.pods(SYNC, 100_000, 0)).isEqualTo(10);
        assertThat(scaler.pods(2 * SYNC, 100_000, 0)).isEqualTo(20);
        assertThat(scaler.pods(3 * SYNC, 100_000, 0)).isEqualTo(20);
    }

    @Test
    void changesNothingWithinTheTolerance() {
        assertThat(scaler.pods(0, 500, 0)).isEqualTo(5);
        assertThat(scaler.pods(SYNC, 550, 0)).isEqualTo(5);
        assertThat(scaler.pods(2 * SYNC, 551, 0)).isEqualTo(6);
    }

    @Test
    void removesPodsWhenFewerWereEnoughForTheWholeWindow() {
        assertThat(scaler.pods(0, 500, 0)).isEqualTo(5);
        assertThat(scaler.pods(SYNC, 300, 0)).isEqualTo(5);
        assertThat(scaler.pods(300_000 - SYNC, 100, 0)).isEqualTo(5);
        assertThat(scaler.pods(300_000, 100, 0)).isEqualTo(3);
        assertThat(scaler.pods(300_000 + SYNC, 100, 0)).isOne();
    }

    @Test
    void messagesInFlightCountOnlyIfWanted() {
        Autoscaler visible = new Autoscaler(new Settings(100, 0, false, 1, 20, 30_000, 300_000, 300_000), 0);

        assertThat(visible.pods(0, 100, 900)).isOne();
    }

    @Test
    void kedaMovesBetweenZeroPodsAndOne() {
        Autoscaler zero = new Autoscaler(new Settings(100, 5, true, 0, 20, 30_000, 60_000, 0), 0);

        assertThat(zero.pods(0, 5, 0)).isZero();
        assertThat(zero.pods(29_999, 6, 0)).isZero();
        assertThat(zero.pods(30_000, 6, 0)).isOne();
        assertThat(zero.pods(60_000, 0, 0)).isOne();
        assertThat(zero.pods(90_000, 0, 0)).isZero();
    }
}
