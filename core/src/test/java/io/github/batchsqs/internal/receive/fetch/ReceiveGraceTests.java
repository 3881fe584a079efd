/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ReceiveGraceTests {

    private static final Duration GRACE = Duration.ofMillis(400);

    @Test
    void receivesThatHaveBeenOpenForLongGetTheTimeOfAResponse() {
        assertThat(left(2_000, 19_900)).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void oneReceiveThatMayBringMessagesKeepsTheGraceForAll() {
        assertThat(left(19_900, 1_999)).isEqualTo(GRACE);
        assertThat(left(0)).isEqualTo(GRACE);
    }

    @Test
    void aClockThatWentBackMakesTheGraceNoLonger() {
        assertThat(left(-5_000)).isEqualTo(GRACE);
    }

    @Test
    void aGraceBelowTheTimeOfAResponseStays() {
        Duration shorter = Duration.ofMillis(50);
        assertThat(ReceiveGrace.left(shorter, LongStream.of(19_900).mapToObj(Duration::ofMillis)))
                .isEqualTo(shorter);
    }

    private static Duration left(long... openForMillis) {
        return ReceiveGrace.left(GRACE, LongStream.of(openForMillis).mapToObj(Duration::ofMillis));
    }
}
