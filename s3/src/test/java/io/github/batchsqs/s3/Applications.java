/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import io.awspring.cloud.autoconfigure.core.AwsAutoConfiguration;
import io.awspring.cloud.autoconfigure.core.CredentialsProviderAutoConfiguration;
import io.awspring.cloud.autoconfigure.core.RegionProviderAutoConfiguration;
import io.awspring.cloud.autoconfigure.s3.S3AutoConfiguration;
import io.github.batchsqs.autoconfigure.internal.client.BatchSqsClientAutoConfiguration;
import io.github.batchsqs.autoconfigure.internal.listener.BatchSqsListenerAutoConfiguration;
import io.github.batchsqs.autoconfigure.internal.sender.BatchSqsSenderAutoConfiguration;
import io.github.batchsqs.autoconfigure.internal.settings.BatchSqsProperties;
import io.github.batchsqs.internal.receive.delivery.MessageMemory;
import io.github.batchsqs.internal.support.TimeSource;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.time.Duration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import software.amazon.awssdk.services.s3.S3Client;

/** Applications with the starter and this module. */
final class Applications {

    static final String BUCKET = "payloads";

    private Applications() {}

    /** On AWS; nothing is called unless a test does so. */
    static ApplicationContextRunner aws() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        PropertyPlaceholderAutoConfiguration.class,
                        AwsAutoConfiguration.class,
                        CredentialsProviderAutoConfiguration.class,
                        RegionProviderAutoConfiguration.class,
                        S3AutoConfiguration.class,
                        BatchSqsClientAutoConfiguration.class,
                        BatchSqsListenerAutoConfiguration.class,
                        BatchSqsSenderAutoConfiguration.class,
                        BatchSqsS3AutoConfiguration.class))
                .withPropertyValues(
                        "spring.cloud.aws.region.static=us-east-1",
                        "spring.cloud.aws.credentials.access-key=key",
                        "spring.cloud.aws.credentials.secret-key=secret");
    }

    /** On local servers, with a bucket. */
    static ApplicationContextRunner local(URI sqs, URI s3) {
        return aws().withPropertyValues(
                        "spring.cloud.aws.sqs.endpoint=" + sqs,
                        "spring.cloud.aws.s3.endpoint=" + s3,
                        "spring.cloud.aws.s3.path-style-access-enabled=true",
                        "batchsqs.s3.bucket=" + BUCKET,
                        "batchsqs.sender.max-block=1h", // a machine that stalls takes long for a look-up
                        "batchsqs.listener.wait-time=2s",
                        "batchsqs.listener.failure.backoff.initial=1ms",
                        "batchsqs.listener.failure.backoff.max=1ms");
    }

    /** With a store that gives up sooner. */
    static ApplicationContextRunner withTimeouts(
            ApplicationContextRunner application, Duration fetch, Duration upload) {
        return application.withInitializer(context -> ((GenericApplicationContext) context)
                .registerBean(S3PayloadStore.class, () -> store(context, fetch, upload)));
    }

    private static S3PayloadStore store(ApplicationContext context, Duration fetch, Duration upload) {
        S3Options usual = S3Options.of(
                context.getBean(BatchSqsProperties.class).s3(),
                MessageMemory.ofHeap().max());
        var options = new S3Options(
                usual.bucket(),
                usual.threshold(),
                usual.keyPrefix(),
                usual.deleteAfter(),
                usual.readable(),
                usual.memory(),
                fetch,
                upload);
        var meters =
                new S3Meters(context.getBeanProvider(MeterRegistry.class).getIfAvailable(SimpleMeterRegistry::new));
        return new S3PayloadStore(options, context.getBean(S3Client.class), meters, TimeSource.system());
    }
}
