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

    private static final long NOW = 1_000;
    private static final long DELAY = 100;
    private static final BatcherSettings SETTINGS = new BatcherSettings(
            new BatchLimits(10, 100, Duration.ZERO),
            1,
            new Backoff(Duration.ofNanos(DELAY), 1, Duration.ofNanos(DELAY), false),
            new Backoff(Duration.ofNanos(3 * DELAY), 2, Duration.ofNanos(100 * DELAY), false));

    private final FlushBarrier barrier = new FlushBarrier();

    @Test
    void settlesAcceptedEntriesInTheirOrder() {
        List<Pending<String, String>> batch = List.of(entry("a", null), entry("b", "key"), entry("c", null));
        var results = decide(batch, Outcome.of(List.of(yes("1"), yes("2"), yes("3"))));
        assertThat(results.settled()).containsExactlyElementsOf(batch);
        assertThat(batch).extracting(Pending::result).containsExactly("1", "2", "3");
        assertThat(results.again()).isEmpty();
        assertThat(results.againByKey()).containsOnlyKeys("key");
        assertThat(results.againByKey().get("key")).isEmpty();
    }

    @Test
    void triesEntriesAgainTogetherInTheirOrderAfterTheDelay() {
        var a = entry("a", "key");
        var b = entry("b", "key");
        var c = entry("c", null);
        var results = decide(List.of(a, b, c), Outcome.of(List.of(later(), later(), later())));
        assertThat(results.settled()).isEmpty();
        assertThat(results.againByKey().get("key")).containsExactly(a, b);
        assertThat(results.again()).containsExactly(c);
        assertThat(results.notBefore()).isEqualTo(NOW + DELAY);
        assertThat(a.alone).isFalse();
    }

    @Test
    void failsAnEntryThatALaterOneWithItsKeyHasPassed() {
        var a = entry("a", "key");
        var results = decide(List.of(a, entry("b", "key")), Outcome.of(List.of(later(), yes("2"))));
        assertThat(results.settled()).hasSize(2).first().isSameAs(a);
        assertThat(codeOf(a)).isEqualTo(EntryFailedException.OUT_OF_ORDER);
    }

    @Test
    void triesAnEntryAgainAheadOfOneThatTheCallLeftOut() {
        var a = entry("a", "key");
        var b = entry("b", "key");
        var results = decide(List.of(a, b), Outcome.of(List.of(later(), Batcher.leftOut())));
        assertThat(results.settled()).containsExactly(b);
        assertThat(b.cause()).isNull();
        assertThat(results.againByKey().get("key")).containsExactly(a);
    }

    @Test
    void triesTheEntriesOfASpoiltCallAgainAtOnceAndAlone() {
        var a = entry("a", "key");
        var b = entry("b", null);
        var results = decide(List.of(a, b), spoilt());
        assertThat(results.settled()).isEmpty();
        assertThat(results.notBefore()).isEqualTo(NOW);
        assertThat(List.of(a, b)).allMatch(entry -> entry.alone);
    }

    @Test
    void failsTheOnlyEntryOfASpoiltCall() {
        var a = entry("a", "key");
        assertThat(decide(List.of(a), spoilt()).settled()).containsExactly(a);
        assertThat(codeOf(a)).isEqualTo(EntryFailedException.CALL_FAILED);
    }

    @Test
    void failsWhatWouldComeTooLateAndWhatIsNotToBeSentAnyMore() {
        var late = new Pending<String, String>(new BatchEntry<>("a", 1, null, NOW + DELAY), 0, barrier);
        decide(List.of(late), Outcome.of(List.of(later())));
        assertThat(codeOf(late)).isEqualTo(EntryFailedException.DEADLINE_EXCEEDED);
        var closed = entry("b", null);
        new CallResults<>(
                List.of(closed), Outcome.of(List.of(CallResultsTests.later())), NOW, SETTINGS, new Random(0), false);
        assertThat(codeOf(closed)).isEqualTo(EntryFailedException.CLOSED);
    }

    @Test
    void remembersThatACallWithoutAResponseMayHaveBeenActedOn() {
        var a = entry("a", null);
        decide(
                List.of(a),
                Outcome.failed(new IllegalStateException(), new CallFailure(true, true, false, Duration.ZERO)));
        decide(List.of(a), Outcome.of(List.of(new Rejected<>("Bad", "bad", false))));
        assertThat(a.cause())
                .isInstanceOfSatisfying(
                        EntryFailedException.class,
                        failure -> assertThat(failure.mayHaveBeenAccepted()).isTrue());
    }

    @Test
    void leavesWhatWasSettledBefore() {
        var expired = entry("a", "key");
        expired.expire();
        var results = decide(List.of(expired), Outcome.of(List.of(yes("1"))));
        assertThat(results.settled()).isEmpty();
        assertThat(expired.result()).isNull();
        assertThat(results.againByKey()).containsKey("key");
    }

    private static CallResults<String, String> decide(List<Pending<String, String>> batch, Outcome<String> outcome) {
        return new CallResults<>(batch, outcome, NOW, SETTINGS, new Random(0), true);
    }

    private Pending<String, String> entry(String item, @Nullable Object key) {
        return new Pending<>(new BatchEntry<>(item, 1, key, NOW + 10_000), 0, barrier);
    }

    @Test
    void waitsAsLongAsTheServerAsksButAtMostHalfOfWhatIsLeft() {
        assertThat(retryAfter(Duration.ofSeconds(7), Duration.ofMinutes(2))).isEqualTo(Duration.ofSeconds(7));
        assertThat(retryAfter(Duration.ofHours(1), Duration.ofSeconds(6))).isEqualTo(Duration.ofSeconds(3));
    }

    private Duration retryAfter(Duration asked, Duration left) {
        var a = new Pending<String, String>(new BatchEntry<>("a", 1, null, NOW + left.toNanos()), 0, barrier);
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

    private static EntryResult<String> yes(String value) {
        return new Accepted<>(value);
    }

    private static EntryResult<String> later() {
        return new Rejected<>("InternalError", "later", true);
    }

    private static Outcome<String> spoilt() {
        return Outcome.failed(
                new IllegalArgumentException("one is bad"), new CallFailure(false, false, true, Duration.ZERO));
    }

    private static @Nullable String codeOf(Pending<String, String> entry) {
        return entry.cause() instanceof EntryFailedException failure ? failure.code() : null;
    }
}
