/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.health;

import io.github.batchsqs.internal.support.UserInformation;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.receive.ListenerContainer;
import io.github.batchsqs.receive.ListenerContainers;
import java.time.InstantSource;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;

/** One entry per listener that is registered when somebody asks. Asks the containers only, never SQS. */
record ListenerHealthContributor(ListenerContainers containers, InstantSource clock)
        implements CompositeHealthContributor {

    @Override
    public @Nullable HealthContributor getContributor(String name) {
        return containers.find(name).map(this::indicator).orElse(null);
    }

    @Override
    public Stream<Entry> stream() {
        return containers.all().stream()
                .map(container -> new Entry(container.options().id(), indicator(container)));
    }

    private HealthIndicator indicator(ListenerContainer container) {
        ListenerOptions options = container.options();
        return () -> ListenerHealth.of(
                UserInformation.mask(options.queue()), options.client(), container.status(), clock.instant());
    }
}
