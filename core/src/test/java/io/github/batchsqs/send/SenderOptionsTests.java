/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.errors.InvalidOptionException;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class SenderOptionsTests {

    @Test
    void haveTheDocumentedDefaults() {
        SenderOptions options = SenderOptions.defaults();
        assertThat(options.linger()).isEqualTo(Duration.ofMillis(5));
        assertThat(options.buffer().bytes()).isEqualTo(33_554_432);
        assertThat(options.buffer().maxBlock()).isEqualTo(Duration.ofSeconds(10));
        assertThat(options.maxInFlight()).isEqualTo(128);
        assertThat(options.deliveryTimeout()).isEqualTo(Duration.ofMinutes(2));
        assertThat(options.toBuilder().build()).isEqualTo(options);
    }

    @Test
    void nameTheSettingThatBreaksItsRule() {
        assertBroken("linger", options -> options.linger(Duration.ofSeconds(11)));
        assertBroken("max-in-flight", options -> options.maxInFlight(0));
        assertBroken("delivery-timeout", options -> options.deliveryTimeout(Duration.ofMinutes(5)));
        assertBroken("delivery-timeout", options -> options.deliveryTimeout(Duration.ZERO));
        assertBroken("delivery-timeout", options -> options.deliveryTimeout(Duration.ofMillis(9)));
        assertBroken("shutdown-timeout", options -> options.shutdownTimeout(Duration.ofSeconds(-1)));
        assertBroken("shutdown-timeout", options -> options.shutdownTimeout(Duration.ofMinutes(11)));
        assertBroken("max-block", options -> options.buffer(new SenderOptions.Buffer(1 << 20, Duration.ofSeconds(-1))));
    }

    private static void assertBroken(String option, UnaryOperator<SenderOptions.Builder> change) {
        assertThatThrownBy(() -> change.apply(SenderOptions.builder()).build())
                .isInstanceOfSatisfying(
                        InvalidOptionException.class,
                        e -> assertThat(e.option()).isEqualTo(option));
    }
}
