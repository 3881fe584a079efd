/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.controls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.batchsqs.sample.settings.SampleProperties;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** The button that cuts the server off, where there is no embedded server. */
class OutageTests {

    @Test
    void sayWhyItCannotBeWhereThereIsNoEmbeddedServer() {
        new ApplicationContextRunner()
                .withPropertyValues("batchsqs.embedded.enabled=false")
                .withBean(ThreadPoolTaskScheduler.class)
                .withUserConfiguration(Setup.class)
                .run(context -> {
                    Outage outage = context.getBean(Outage.class);
                    assertThat(outage.impossible()).contains("Only the embedded server");
                    assertThat(outage.running()).isFalse();
                    assertThatExceptionOfType(NotNowException.class)
                            .isThrownBy(outage::begin)
                            .withMessageContaining("Only the embedded server");
                });
    }

    @Import({Outage.class, WireConfiguration.class})
    @EnableConfigurationProperties(SampleProperties.class)
    static class Setup {}
}
