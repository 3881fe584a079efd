/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.listener.ListenerOptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingConversionsTests {

    @ParameterizedTest
    @CsvSource({"8, 8", "' 8 ', 8", "0, 0", "999999999, 999999999"})
    void aNumberIsTakenWithoutItsBlanks(String text, int number) {
        assertThat(Concurrency.of(text).number()).isEqualTo(number);
        assertThat(SettingConversions.prefetch(text)).isEqualTo(number);
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "AUTO", " auto "})
    void autoIsTakenInAnyCase(String text) {
        assertThat(Concurrency.of(text).number()).isEqualTo(ListenerOptions.AUTO_CONCURRENCY);
        assertThat(SettingConversions.prefetch(text)).isEqualTo(ListenerOptions.AUTO_PREFETCH);
    }

    @ParameterizedTest
    @CsvSource({"auto, 200, auto", "' AUTO ', 200, auto", "auto:50, 50, auto:50", "auto:200, 200, auto"})
    void anAutomaticConcurrencyMayHaveAMaximum(String text, int max, String written) {
        var concurrency = Concurrency.of(text);
        assertThat(concurrency.number()).isEqualTo(ListenerOptions.AUTO_CONCURRENCY);
        assertThat(concurrency.max()).isEqualTo(max);
        assertThat(concurrency.text()).isEqualTo(written);
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto:", "auto:many", "auto:-1", "-1", "4294967295", "3000000000", "", "1.5", "many"})
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> Concurrency.of(text).number())
                .isInstanceOf(InvalidOptionException.class)
                .hasMessageContainingAll(
                        "concurrency must be auto, auto with a maximum such as auto:50, or a number of invocations",
                        text);
        assertThatThrownBy(() -> SettingConversions.prefetch(text))
                .isInstanceOf(InvalidOptionException.class)
                .hasMessageContainingAll("prefetch must be auto, or a number of messages", text);
    }
}
