/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** With a made-up process, so that no limit has to pass. */
class AnswersTests {

    private static final Duration LONG = Duration.ofMinutes(10);

    @Test
    void aLineIsAnAnswer() throws Exception {
        MadeUp process = new MadeUp(lines("warm\nresult\n"));
        Answers answers = new Answers("Row peers/some/row", process);

        assertThat(answers.next(LONG)).isEqualTo("warm");
        answers.tell();
        assertThat(answers.next(LONG)).isEqualTo("result");
        assertThat(process.input.toString(StandardCharsets.UTF_8)).isEqualTo("\n");
        assertThat(process.isAlive()).isTrue();
    }

    @Test
    void aRowThatHangsIsEndedWithAnErrorThatNamesIt() throws IOException {
        try (PipedOutputStream silence = new PipedOutputStream()) {
            MadeUp process = new MadeUp(new PipedInputStream(silence));

            assertThatThrownBy(() -> new Answers("Row peers/some/row", process).next(Duration.ZERO))
                    .isInstanceOf(IOException.class)
                    .hasMessage("Row peers/some/row did not answer within 0 s");
            assertThat(process.isAlive()).isFalse();
        }
    }

    @Test
    void aRowThatEndsIsAnErrorThatNamesIt() {
        MadeUp process = new MadeUp(lines(""));

        assertThatThrownBy(() -> new Answers("Row peers/some/row", process).next(LONG))
                .isInstanceOf(IOException.class)
                .hasMessage("Row peers/some/row ended without an answer");
    }

    private static InputStream lines(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Prints what it was given, and runs until it is ended. */
    private static final class MadeUp extends Process {

        private final ByteArrayOutputStream input = new ByteArrayOutputStream();
        private final InputStream output;
        private final CompletableFuture<Process> exit = new CompletableFuture<>();

        MadeUp(InputStream output) {
            this.output = output;
        }

        @Override
        public OutputStream getOutputStream() {
            return input;
        }

        @Override
        public InputStream getInputStream() {
            return output;
        }

        @Override
        public InputStream getErrorStream() {
            return InputStream.nullInputStream();
        }

        @Override
        public int waitFor() {
            Process unused = exit.join();
            return 0;
        }

        @Override
        public int exitValue() {
            if (!exit.isDone()) {
                throw new IllegalThreadStateException();
            }
            return 0;
        }

        @Override
        public void destroy() {
            boolean unused = exit.complete(this);
        }

        @Override
        public CompletableFuture<Process> onExit() {
            return exit;
        }
    }
}
