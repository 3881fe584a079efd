/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.kotlin

import io.awspring.cloud.autoconfigure.core.AwsAutoConfiguration
import io.awspring.cloud.autoconfigure.core.CredentialsProviderAutoConfiguration
import io.awspring.cloud.autoconfigure.core.RegionProviderAutoConfiguration
import io.github.batchsqs.autoconfigure.internal.client.BatchSqsClientAutoConfiguration
import io.github.batchsqs.autoconfigure.internal.embedded.BatchSqsEmbeddedAutoConfiguration
import io.github.batchsqs.autoconfigure.internal.listener.BatchSqsListenerAutoConfiguration
import io.github.batchsqs.autoconfigure.internal.observation.BatchSqsObservationAutoConfiguration
import io.github.batchsqs.autoconfigure.internal.sender.BatchSqsSenderAutoConfiguration
import io.github.batchsqs.test.BatchSqsTestAutoConfiguration
import org.springframework.boot.autoconfigure.AutoConfigurations
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration
import org.springframework.boot.test.context.runner.ApplicationContextRunner

/** Contexts as an application with the starter has them, on the embedded server. */
object Contexts {

    fun embedded(): ApplicationContextRunner = ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                PropertyPlaceholderAutoConfiguration::class.java,
                JacksonAutoConfiguration::class.java,
                AwsAutoConfiguration::class.java,
                CredentialsProviderAutoConfiguration::class.java,
                RegionProviderAutoConfiguration::class.java,
                BatchSqsClientAutoConfiguration::class.java,
                BatchSqsEmbeddedAutoConfiguration::class.java,
                BatchSqsListenerAutoConfiguration::class.java,
                BatchSqsObservationAutoConfiguration::class.java,
                BatchSqsSenderAutoConfiguration::class.java,
                BatchSqsTestAutoConfiguration::class.java,
            ),
        )
        .withPropertyValues(
            "batchsqs.embedded.enabled=true",
            "batchsqs.listener.wait-time=1s",
            "batchsqs.sender.max-block=1h", // a machine that stalls takes long for a look-up
        )
}
