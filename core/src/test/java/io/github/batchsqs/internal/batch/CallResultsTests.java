/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.internal.batch.CallResults.Outcome;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.EntryResult.Accepted;
import io.github.batchsqs.internal.client.EntryResult.Rejected;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The decision about the results of one call. */
class CallResultsTests {

    @SuppressWarnings("unchecked") // it has no value
    private static EntryResult<String> leftOut() {
        return (EntryResult<String>) (EntryResult<?>) BatchCall.LEFT_OUT;
    }

    private static final long NOW = 1_000;
    private static final long DELAY = 100;
    private static final BatcherSettings SETTINGS = new BatcherSettings(
            Duration.ZERO,
            1,
            new Backoff(Duration.ofNanos(DELAY), 1, Duration.ofNanos(DELAY), false),
            new Backoff(Duration.ofNanos(3 * DELAY), 2, Duration.ofNanos(100 * DELAY), false));

    private final FlushBarrier barrier = new FlushBarrier();

    @Test
    void triesAnEntryAgainAheadOfOneThatTheCallLeftOut() {
        var a = entry("a", "key");
        var b = entry("b", "key");
        var results = decide(List.of(a, b), Outcome.of(List.of(later(), leftOut())));
        assertThat(results.settled()).containsExactly(b);
        assertThat(b.cause()).isNull();
        assertThat(results.again()).containsExactly(a);
    }

    @Test
    void failsWhatWouldComeTooLateAndWhatIsNotToBeSentAnyMore() {
        var late = new Pending<String, String>(
                new BatchEntry<>("a", 1, null, NOW + DELAY), 0, barrier, entries -> List.of());
        decide(List.of(late), Outcome.of(List.of(later())));
        assertThat(codeOf(late)).isEqualTo(EntryFailedException.DEADLINE_EXCEEDED);
        var closed = entry("b", null);
        new CallResults<>(
                List.of(closed), Outcome.of(List.of(CallResultsTests.later())), NOW, SETTINGS, new Random(0), false);
        assertThat(codeOf(closed)).isEqualTo(EntryFailedException.CLOSED);
    }

    @Test
    void anEntryThatHasFailedMeanwhileIsNotSettledAgain() {
        var late = entry("a", null);
        late.expire();
        var results = decide(List.of(late), Outcome.of(List.of(new Accepted<>("1"))));
        assertThat(results.settled()).isEmpty();
        assertThat(codeOf(late)).isEqualTo(EntryFailedException.DEADLINE_EXCEEDED);
    }

    @Test
    void remembersThatACallWithoutAResponseMayHaveBeenActedOn() {
        var a = entry("a", null);
        decide(
                List.of(a),
                Outcome.failed(new IllegalStateException(), new CallFailure(true, true, false, Duration.ZERO)));
        decide(List.of(a), Outcome.of(List.of(new Rejected<>("Bad", "bad", false))));
        assertThat(a.cause()).matches(EntryFailedException::mayHaveBeenAccepted);
    }

    private static CallResults<String, String> decide(List<Pending<String, String>> batch, Outcome<String> outcome) {
        return new CallResults<>(batch, outcome, NOW, SETTINGS, new Random(0), true);
    }

    private Pending<String, String> entry(String item, @Nullable Object key) {
        return new Pending<>(new BatchEntry<>(item, 1, key, NOW + 10_000), 0, barrier, entries -> List.of());
    }

    @Test
    void waitsAsLongAsTheServerAsksButAtMostHalfOfWhatIsLeft() {
        assertThat(retryAfter(Duration.ofSeconds(7), Duration.ofMinutes(2))).isEqualTo(Duration.ofSeconds(7));
        assertThat(retryAfter(Duration.ofHours(1), Duration.ofSeconds(6))).isEqualTo(Duration.ofSeconds(3));
    }

    private Duration retryAfter(Duration asked, Duration left) {
        var a = new Pending<String, String>(
                new BatchEntry<>("a", 1, null, NOW + left.toNanos()), 0, barrier, entries -> List.of());
        var throttled = Outcome.<String>failed(
                new IllegalStateException("throttled"), new CallFailure(true, false, false, asked));
        return Duration.ofNanos(decide(List.of(a), throttled).notBefore() - NOW);
    }

    @Test
    void triesAgainMoreSlowlyWhatTheServerMayHaveAccepted() {
        var a = entry("a", null);
        var lost = Outcome.<String>failed(
                new IllegalStateException("lost"), new CallFailure(true, true, false, Duration.ZERO));
        assertThat(decide(List.of(a), lost).notBefore()).isEqualTo(NOW + 3 * DELAY);
        assertThat(decide(List.of(a), Outcome.of(List.of(later()))).notBefore()).isEqualTo(NOW + DELAY);
        assertThat(decide(List.of(a), lost).notBefore()).isEqualTo(NOW + 6 * DELAY);
    }

    private static EntryResult<String> later() {
        return new Rejected<>("InternalError", "later", true);
    }

    private static @Nullable String codeOf(Pending<String, String> entry) {
        EntryFailedException failure = entry.cause();
        return failure == null ? null : failure.code();
    }
}
