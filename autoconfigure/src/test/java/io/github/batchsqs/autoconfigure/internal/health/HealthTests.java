/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.receive.ListenerContainers;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

class HealthTests {

    private static final String BEAN = "batchsqsHealthContributor";

    private final ApplicationContextRunner stopped = Contexts.aws()
            .withConfiguration(AutoConfigurations.of(BatchSqsHealthAutoConfiguration.class))
            .withBean(Handler.class)
            .withPropertyValues("batchsqs.listener.auto-startup=false");

    @Test
    void thereIsAnEntryForEachListenerAlsoForOneThatIsRemovedLater() {
        stopped.run(context -> {
            var contributor = context.getBean(BEAN, CompositeHealthContributor.class);
            assertThat(contributor.stream().map(HealthContributors.Entry::name)).containsExactly("orders", "receipts");
            context.getBean(ListenerContainers.class).remove("orders");
            assertThat(contributor.stream().map(HealthContributors.Entry::name)).containsExactly("receipts");
            assertThat(contributor.getContributor("orders")).isNull();
            assertThat(health(context, "receipts").getStatus()).isEqualTo(Status.UP);
        });
    }

    @Test
    void withoutTheHealthModuleOrWithHealthTurnedOffThereIsNone() {
        stopped.withClassLoader(new FilteredClassLoader(HealthContributor.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(BEAN));
        stopped.withPropertyValues("management.health.batchsqs.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(BEAN));
        stopped.withPropertyValues("management.health.defaults.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(BEAN));
    }

    @Test
    void aHealthGroupIncludesItByItsName() {
        stopped.withConfiguration(AutoConfigurations.of(
                        EndpointAutoConfiguration.class,
                        HealthContributorAutoConfiguration.class,
                        HealthContributorRegistryAutoConfiguration.class,
                        HealthEndpointAutoConfiguration.class))
                .withPropertyValues("management.endpoint.health.group.ready.include=batchsqs")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(HealthEndpoint.class).healthForPath("ready", "batchsqs", "orders"))
                            .isNotNull();
                });
    }

    @Test
    void aContributorOfTheApplicationReplacesIt() {
        var own = (HealthIndicator) () -> Health.up().build();
        stopped.withBean(BEAN, HealthIndicator.class, () -> own)
                .run(context -> assertThat(context.getBean(BEAN)).isSameAs(own));
    }

    private static Health health(ApplicationContext context, String listener) {
        var contributor =
                context.getBean(BEAN, CompositeHealthContributor.class).getContributor(listener);
        return Objects.requireNonNull(((HealthIndicator) Objects.requireNonNull(contributor)).health());
    }

    static class Handler {
        @BatchSqsListener(queue = "orders")
        void orders(List<String> orders) {}

        @BatchSqsListener(queue = "receipts")
        void receipts(List<String> receipts) {}
    }
}
