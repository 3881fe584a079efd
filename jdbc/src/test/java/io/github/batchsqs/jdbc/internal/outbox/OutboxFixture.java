/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;

/** A test's SQS, its time, and its instances, which its end closes. */
abstract class OutboxFixture {

    final FakeSqs sqs = new FakeSqs();
    final SettableTime clock = new SettableTime();
    private final List<Instance> instances = new ArrayList<>();

    @AfterEach
    void closeInstances() {
        instances.reversed().forEach(Instance::close);
    }

    /** Returns the instance, which the end of the test closes. */
    final Instance closed(Instance instance) {
        instances.add(instance);
        return instance;
    }

    /** Relays until the condition holds, while time passes. */
    final void relayLater(Instance instance, Callable<Boolean> until) {
        instance.relayUntil(() -> {
            clock.advance(Duration.ofMillis(100));
            return until.call();
        });
    }

    static List<String> numbers(int from, int to) {
        return IntStream.range(from, to).mapToObj(String::valueOf).toList();
    }
}
