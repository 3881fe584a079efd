/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import io.github.batchsqs.testkit.EventMethods;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Counts what a listener tells. Safe for use by any thread. */
final class CountedEvents implements EventMethods {

    final AtomicInteger acknowledged = new AtomicInteger();
    final AtomicInteger conversionFailures = new AtomicInteger();
    final AtomicInteger deadLettered = new AtomicInteger();
    final List<String> failedCalls = new CopyOnWriteArrayList<>();
    final List<Integer> batchSizes = new CopyOnWriteArrayList<>();
    private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();

    int receives() {
        return calls("ReceiveMessage");
    }

    int deletes() {
        return calls("DeleteMessageBatch");
    }

    int visibilityChanges() {
        return calls("ChangeMessageVisibilityBatch");
    }

    private int calls(String operation) {
        return calls.getOrDefault(operation, new AtomicInteger()).get();
    }

    @Override
    public void apiCall(String operation, int entries, Duration took, @Nullable String errorCode) {
        calls.computeIfAbsent(operation, key -> new AtomicInteger()).incrementAndGet();
        if (errorCode != null) {
            failedCalls.add(operation + " " + errorCode);
        }
    }

    @Override
    public void invoking(int batchSize, Duration delay) {
        batchSizes.add(batchSize);
    }

    @Override
    public void conversionFailed() {
        conversionFailures.incrementAndGet();
    }

    @Override
    public void acknowledged(int messages) {
        acknowledged.addAndGet(messages);
    }

    @Override
    public void deadLettered() {
        deadLettered.incrementAndGet();
    }
}
