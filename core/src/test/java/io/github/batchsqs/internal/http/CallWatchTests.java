/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallWatchTests {

    private final List<Runnable> threads = new ArrayList<>();
    private boolean exhausted = true;

    @Test
    void startsItsThreadWithTheNextCallIfThereWasNoneBefore() {
        CallWatch watch = new CallWatch(1, now -> {}, task -> {
            if (exhausted) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            threads.add(task);
        });
        CallDeadline call = new CallDeadline(Duration.ofSeconds(1), () -> {});
        assertThatThrownBy(() -> watch.begin(call)).isInstanceOf(OutOfMemoryError.class);
        assertThat(watch.inFlight()).isZero();
        exhausted = false;
        watch.begin(call);
        watch.begin(new CallDeadline(Duration.ofSeconds(1), () -> {}));
        assertThat(threads).hasSize(1);
        assertThat(watch.inFlight()).isEqualTo(2);
    }
}
