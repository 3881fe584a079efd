/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.testkit;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

/** What Boot would print for a context that did not start: the first analyzer that knows the failure speaks. */
public final class StartFailure {

    private StartFailure() {}

    /** The description and the action, or the failure itself when no analyzer knows it. */
    public static String of(AssertableApplicationContext context) {
        return of(context, new StandardEnvironment());
    }

    /** The same for a context with this environment, which has the origins of settings. */
    public static String of(AssertableApplicationContext context, Environment environment) {
        Throwable failure = Objects.requireNonNull(context.getStartupFailure(), "the context started");
        return SpringFactoriesLoader.forDefaultResourceLocation()
                .load(
                        FailureAnalyzer.class,
                        ArgumentResolver.of(Environment.class, environment),
                        FailureHandler.handleMessage((message, cause) -> {}))
                .stream()
                .map(analyzer -> analyzer.analyze(failure))
                .flatMap(analysis -> Optional.ofNullable(analysis).stream())
                .findFirst()
                .map(StartFailure::text)
                .orElseThrow(() -> new AssertionError("No analyzer knows this", failure));
    }

    private static String text(FailureAnalysis analysis) {
        return analysis.getDescription() + "\n\nAction: " + nullToEmpty(analysis.getAction());
    }

    private static String nullToEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
