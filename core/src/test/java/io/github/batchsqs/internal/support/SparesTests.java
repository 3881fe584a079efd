/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.testkit.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SparesTests {

    private final AtomicInteger made = new AtomicInteger();
    private final Spares<AtomicBoolean> spares = new Spares<>(() -> {
        made.incrementAndGet();
        return new AtomicBoolean();
    });

    @Test
    void whatWasGivenBackIsTakenOnce() {
        AtomicBoolean first = spares.take();
        spares.giveBack(first);
        assertThat(spares.take()).isSameAs(first);
        assertThat(spares.take()).isNotSameAs(first);
        assertThat(made).hasValue(2);
    }

    @Test
    void twoForEachProcessorAreKept() {
        int kept = 2 * Runtime.getRuntime().availableProcessors();
        for (int i = 0; i < 3 * kept; i++) {
            spares.giveBack(new AtomicBoolean());
        }
        for (int i = 0; i < kept; i++) {
            assertThat(spares.take()).isNotNull();
        }
        assertThat(made).hasValue(0);
        assertThat(spares.take()).isNotNull();
        assertThat(made).hasValue(1);
    }

    @Test
    void noTwoThreadsHaveTheSame() throws Exception {
        List<FutureTask<Boolean>> users = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            FutureTask<Boolean> user = new FutureTask<>(this::isAlwaysAlone);
            users.add(user);
            Thread.ofPlatform().start(user);
        }
        for (FutureTask<Boolean> user : users) {
            assertThat(Progress.get(user)).isTrue();
        }
    }

    private boolean isAlwaysAlone() {
        boolean alone = true;
        for (int i = 0; i < 20_000; i++) {
            AtomicBoolean used = spares.take();
            alone &= used.compareAndSet(false, true);
            Thread.onSpinWait();
            used.set(false);
            spares.giveBack(used);
        }
        return alone;
    }
}
