/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.listener.ListenerOptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingConversionsTests {

    @ParameterizedTest
    @CsvSource({"8, 8", "' 8 ', 8", "0, 0", "2147483647, 2147483647"})
    void aNumberIsTakenWithoutItsBlanks(String text, int number) {
        assertThat(SettingConversions.concurrency(text)).isEqualTo(number);
        assertThat(SettingConversions.prefetch(text)).isEqualTo(number);
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "AUTO", " auto "})
    void autoIsTakenInAnyCase(String text) {
        assertThat(SettingConversions.concurrency(text)).isEqualTo(ListenerOptions.AUTO_CONCURRENCY);
        assertThat(SettingConversions.prefetch(text)).isEqualTo(ListenerOptions.AUTO_PREFETCH);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "4294967295", "3000000000", "", "1.5", "many"})
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> SettingConversions.concurrency(text))
                .isInstanceOf(InvalidOptionException.class)
                .hasMessageContainingAll("concurrency must be auto, or a number of invocations", text);
        assertThatThrownBy(() -> SettingConversions.prefetch(text))
                .isInstanceOf(InvalidOptionException.class)
                .hasMessageContainingAll("prefetch must be auto, or a number of messages", text);
    }
}
