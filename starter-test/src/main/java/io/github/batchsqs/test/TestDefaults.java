/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.test;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Settings of {@link BatchSqsTest}, below all that the application and the test set themselves. */
final class TestDefaults implements ContextCustomizerFactory {

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
        return TestContextAnnotationUtils.hasAnnotation(testClass, BatchSqsTest.class) ? new Customizer() : null;
    }

    /** Equal to all others, so that tests share contexts. */
    private record Customizer() implements ContextCustomizer {

        private static final Map<String, Object> DEFAULTS = Map.of(
                "batchsqs.embedded.enabled", "true",
                "batchsqs.listener.queue-not-found", "create",
                "batchsqs.listener.wait-time", "1s");

        @Override
        public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration merged) {
            context.getEnvironment().getPropertySources().addLast(new MapPropertySource("batchSqsTest", DEFAULTS));
        }
    }
}
