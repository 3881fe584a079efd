/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.listener.ListenerOptions.Failure;
import io.github.batchsqs.listener.ListenerOptions.Pollers;
import io.github.batchsqs.listener.ListenerOptions.Visibility;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ListenerOptionsTests {

    private static final Duration SECOND = Duration.ofSeconds(1);

    /** Values that no setting has; {@code ListenerSettingsTableTests} has those of the settings. */
    static Stream<Arguments> badValues() {
        return Stream.of(
                bad("id must not be blank, but is  ; give the listener an id", o -> o.id(" ")),
                bad("queue must be a name, a URL or an ARN, but is ; name the queue to read", o -> o.queue("")),
                bad("prefetch must be between 0 and 320, but is -2; set a value in that range", o -> o.prefetch(-2)),
                bad(
                        "backoff.multiplier must be at least 1, but is 0.5; set 2 to double",
                        o -> o.failure(new Failure(
                                new Backoff(SECOND, 0.5, SECOND, true), false, List.of(), Failure.REDRIVE_POLICY))));
    }

    @ParameterizedTest
    @MethodSource("badValues")
    void aBadValueNamesTheOptionTheRuleTheValueAndTheRemedy(
            String message, UnaryOperator<ListenerOptions.Builder> change) {
        assertThatThrownBy(() -> change.apply(defaults()).build())
                .isInstanceOf(InvalidOptionException.class)
                .hasMessage(message);
    }

    @Test
    void newBoundsOfPollersKeepTheInterval() {
        ListenerOptions options = defaults().pollers(new Pollers(2, 3, SECOND)).build();
        assertThat(options.toBuilder().pollers(1, 9).build().pollers()).isEqualTo(new Pollers(1, 9, SECOND));
    }

    @Test
    void boundsThemselvesAreAllowed() {
        ListenerOptions options = defaults()
                .batchSize(10_000)
                .batchLinger(Duration.ofHours(12))
                .pollers(new Pollers(1_000, 1_000, Duration.ofMinutes(1)))
                .prefetch(10_000)
                .waitTime(Duration.ZERO)
                .visibility(new Visibility(Duration.ofHours(12), Duration.ZERO))
                .build();
        assertThat(options.prefetch()).isEqualTo(10_000);
    }

    private static ListenerOptions.Builder defaults() {
        return ListenerOptions.builder("listener", "orders");
    }

    private static Arguments bad(String message, UnaryOperator<ListenerOptions.Builder> change) {
        return Arguments.of(message, change);
    }
}
