/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordsTests {

    @ParameterizedTest
    @CsvSource({"0, 0s", "250, 250ms", "1000, 1s", "9999, 9999ms", "10999, 10s", "70697, 70s", "120001, 2m"})
    void durationsHaveTheDigitsThatMatter(long millis, String text) {
        assertThat(Words.measured(Duration.ofMillis(millis).plusNanos(1))).isEqualTo(text);
    }

    @Test
    void oneIsNoPlural() {
        assertThat(Words.count(0, "failure")).isEqualTo("0 failures");
        assertThat(Words.count(1, "failure")).isEqualTo("1 failure");
        assertThat(Words.count(2, "failure")).isEqualTo("2 failures");
    }

    @Test
    void aSentenceThatGoesOnHasNoFullStop() {
        assertThat(Words.unended("It does not exist.")).isEqualTo("It does not exist");
        assertThat(Words.unended("It waits ...")).isEqualTo("It waits ...");
        assertThat(Words.unended(null)).isNull();
        assertThat(SqsErrors.message("ReceiveMessage", "q", SqsErrors.NO_SUCH_QUEUE, "", "It does not exist."))
                .endsWith(": It does not exist. Check the queue's name, and the region and account of the credentials");
    }
}
