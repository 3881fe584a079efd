/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ForeignCodeTests {

    @Test
    void returnsWhatTheCodeThrowsAsItIs() {
        Throwable failure = new ExecutionException("outer", new IllegalStateException("inner"));
        assertThat(ForeignCode.run(() -> {
                    throw new IllegalArgumentException(failure);
                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasRootCauseMessage("inner");
        assertThat(ForeignCode.readable(failure)).isSameAs(failure);
    }

    @Test
    void anotherThrowableStandsForOneWhoseMethodsThrow() {
        ForeignCode.Outcome<String> outcome = ForeignCode.call(() -> {
            throw new Indescribable();
        });
        assertThat(outcome.failure())
                .isInstanceOf(RuntimeException.class)
                .hasMessage(Indescribable.class.getName() + ", whose own methods throw")
                .hasNoCause();
    }

    @Test
    void anotherThrowableStandsForOneWithSuchACause() {
        Throwable failure = new IllegalStateException("outer", new Indescribable());
        assertThat(ForeignCode.readable(failure))
                .hasMessage("java.lang.IllegalStateException, whose own methods throw");
    }

    private static final class Indescribable extends Error {

        private static final long serialVersionUID = 1;

        @Override
        public @Nullable String getMessage() {
            throw new StackOverflowError("as if");
        }
    }
}
