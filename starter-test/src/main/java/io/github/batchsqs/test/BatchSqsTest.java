/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.context.filter.annotation.TypeExcludeFilters;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.core.annotation.AliasFor;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * A test of listeners alone, on an SQS server in the process.
 *
 * <p>Of the application's components, those with a method annotated with
 * {@link io.github.batchsqs.annotation.BatchSqsListener @BatchSqsListener} are found; what they need besides comes from the
 * test ({@code @MockitoBean}, {@code @Import}). Of the auto-configurations, those of BatchSQS, Spring Cloud AWS's core,
 * JSON, validation and transactions are there.
 *
 * <p>Unless the test says otherwise, the embedded server runs, queues that do not exist are made, and a receive waits for
 * 1 s. A connection to another server, for example a {@code @ServiceConnection} with LocalStack in Docker, takes precedence
 * over the embedded one. {@link TestQueues} can be injected.
 *
 * <pre>{@code
 * @BatchSqsTest
 * class OrderListenerTests {
 *     @Autowired BatchSqsOperations sqs;
 *     @Autowired TestQueues queues;
 *     @MockitoBean OrderService orders;
 *
 *     @Test
 *     void storesOrders() throws Exception {
 *         sqs.sendAll("orders", List.of(new Order(1), new Order(2)));
 *         await().until(queues.drained("orders"));
 *         verify(orders).store(new Order(2));
 *     }
 * }
 * }</pre>
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@BootstrapWith(BatchSqsTestBootstrapper.class)
@ExtendWith(SpringExtension.class)
@OverrideAutoConfiguration(enabled = false)
@TypeExcludeFilters(ListenersOnly.class)
@ImportAutoConfiguration
public @interface BatchSqsTest {

    /**
     * Sets properties of the test.
     *
     * @return properties, as {@code key=value}
     */
    String[] properties() default {};

    /**
     * Chooses whether components without a listener are omitted.
     *
     * @return {@code true} to omit them
     */
    boolean useDefaultFilters() default true;

    /**
     * Adds components.
     *
     * @return filters that match further components
     */
    Filter[] includeFilters() default {};

    /**
     * Removes components.
     *
     * @return filters that match components to omit
     */
    Filter[] excludeFilters() default {};

    /**
     * Removes auto-configurations.
     *
     * @return auto-configurations to omit
     */
    @AliasFor(annotation = ImportAutoConfiguration.class, attribute = "exclude")
    Class<?>[] excludeAutoConfiguration() default {};
}
