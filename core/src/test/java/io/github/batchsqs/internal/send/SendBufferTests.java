/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.send.SenderOptions;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** The buffer of the template and its bounds. */
class SendBufferTests extends TemplateFixture {

    @Test
    void buffersAsMuchAsItMayAndThenNamesTheSettings() {
        BatchSqsTemplate tight =
                template(options -> options.buffer(new SenderOptions.Buffer(2 << 20, Duration.ofMillis(1))));
        lookUp(tight);
        seam.close();
        awaitQueue(tight);
        var first = tight.send("q", LARGEST);
        var second = tight.send("q", LARGEST);
        assertThat(first).isNotDone();
        SendFailedException failure = failureOf(second);
        assertThat(failure.code()).isEqualTo(SendFailedException.BUFFER_FULL);
        assertThat(failure.retryable()).isTrue();
        assertThat(failure).hasMessageContaining("buffer-bytes: 2MB").hasMessageContaining("max-block");
        seam.open();
        assertThat(Progress.done(first)).isCompleted();
        assertThat(tight.bufferedBytes()).isZero();
    }

    @Test
    void sendsMoreAtOnceThanTheBufferHolds() throws Exception {
        BatchSqsTemplate tight =
                template(options -> options.buffer(new SenderOptions.Buffer(4 << 20, Duration.ofSeconds(20))));
        List<String> bodies = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            bodies.add("x".repeat(900_000) + i);
        }
        assertThat(tight.sendAll("q", bodies).failed()).isEmpty();
        assertThat(tight.bufferedBytes()).isZero();
    }

    @Test
    void buffersNothingThatTheCallerGaveUpAfterItsCall() throws Exception {
        seam.close();
        var timedOut = template.send("q", "text");
        assertThat(timedOut.completeExceptionally(new TimeoutException())).isTrue();
        var cancelled = template.send("q", "text");
        assertThat(cancelled.cancel(true)).isTrue();
        assertThat(template.bufferedBytes()).isPositive();
        seam.open();
        Progress.get(template.flush());
        assertThat(template.bufferedBytes()).isZero();
        assertThat(sqs.visible(standard)).hasSize(2);
    }

    @Test
    void buffersNoMessageOfAnInterruptedThread() {
        seam.close();
        BatchSqsTemplate tight =
                template(options -> options.buffer(new SenderOptions.Buffer(1 << 20, Duration.ofSeconds(20))));
        var first = tight.send("q", LARGEST);
        Thread.currentThread().interrupt();
        var second = tight.send("q", LARGEST);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(failureOf(second).code()).isEqualTo(SendFailedException.INTERRUPTED);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> tight.sendAndWait("q", "text")).isInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> tight.sendAll("q", List.of("text"))).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
        seam.open();
        assertThat(Progress.done(first)).isCompleted();
    }
}
