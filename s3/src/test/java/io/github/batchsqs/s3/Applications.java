/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import io.awspring.cloud.autoconfigure.core.AwsAutoConfiguration;
import io.awspring.cloud.autoconfigure.core.CredentialsProviderAutoConfiguration;
import io.awspring.cloud.autoconfigure.core.RegionProviderAutoConfiguration;
import io.awspring.cloud.autoconfigure.s3.S3AutoConfiguration;
import io.github.batchsqs.autoconfigure.client.BatchSqsClientAutoConfiguration;
import io.github.batchsqs.autoconfigure.listener.BatchSqsListenerAutoConfiguration;
import io.github.batchsqs.autoconfigure.sender.BatchSqsSenderAutoConfiguration;
import java.net.URI;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

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
                        "batchsqs.listener.wait-time=2s",
                        "batchsqs.listener.failure.backoff.initial=1ms",
                        "batchsqs.listener.failure.backoff.max=1ms");
    }
}
