/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProgressTests {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    @Test
    void isStillOnceNothingHasMovedForItsPatience() {
        Progress.Stillness stillness = new Progress.Stillness(0, "a");

        assertThat(stillness.lasts("a", 59 * SECOND)).isFalse();
        assertThat(stillness.lasts("a", 61 * SECOND)).isTrue();
    }

    @Test
    void isNotStillAsLongAsSomethingMoves() {
        Progress.Stillness stillness = new Progress.Stillness(0, 0);

        for (int i = 1; i < 1_000; i++) {
            assertThat(stillness.lasts(i, i * (59 * SECOND))).isFalse();
        }
        assertThat(stillness.lasts(999, 999 * (59 * SECOND) + 61 * SECOND)).isTrue();
    }

    @Test
    void endsWithTheInterruptOfItsThread() {
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> Progress.until(() -> false)).hasMessageContaining("Interrupted while it waited");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
