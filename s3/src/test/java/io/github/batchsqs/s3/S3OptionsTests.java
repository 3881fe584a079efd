/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import io.github.batchsqs.payload.PayloadStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.FilteredClassLoader;
import software.amazon.awssdk.services.s3.S3Client;

class S3OptionsTests {

    @Test
    void withoutABucketThereIsNoStore() {
        Applications.aws().run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(PayloadStore.class));
    }

    @Test
    void aBucketIsEnough() {
        Applications.aws()
                .withPropertyValues("batchsqs.s3.bucket=payloads")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(S3PayloadStore.class));
    }

    @Test
    void nothingIsThereWhenBatchSqsIsOff() {
        Applications.aws()
                .withPropertyValues("batchsqs.s3.bucket=payloads", "batchsqs.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(PayloadStore.class));
    }

    @Test
    void aStoreOfTheApplicationReplacesIt() {
        Applications.aws()
                .withBean(PayloadStore.class, () -> mock(PayloadStore.class))
                .withPropertyValues("batchsqs.s3.bucket=payloads")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(PayloadStore.class)
                        .doesNotHaveBean(S3PayloadStore.class));
    }

    @Test
    void withoutAnS3ClientTheStartEnds() {
        Applications.aws()
                .withPropertyValues("batchsqs.s3.bucket=payloads", "spring.cloud.aws.s3.enabled=false")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContainingAll("batchsqs.s3.bucket", "S3Client", "payloads", "spring.cloud.aws.s3"));
    }

    @Test
    void twoS3ClientsNeedAPrimaryOne() {
        Applications.aws()
                .withBean("one", S3Client.class, () -> Queues.s3(Queues.ENDPOINT))
                .withBean("two", S3Client.class, () -> Queues.s3(Queues.ENDPOINT))
                .withPropertyValues("batchsqs.s3.bucket=payloads", "spring.cloud.aws.s3.enabled=false")
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("or a primary one"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bucket=                 | batchsqs.s3.bucket must be the name of a bucket",
                "bucket=a/b              | but is 'a/b'",
                "threshold=2MB           | batchsqs.s3.threshold must be between 0B and 1MB",
                "key-prefix=a b/         | batchsqs.s3.key-prefix must be at most 512 letters",
                "read-buckets=ok-1,no no | batchsqs.s3.read-buckets must be the name",
                "bucked=b                | batchsqs.s3.bucked",
            })
    void badInputEndsTheStart(String property, String text) {
        Applications.aws()
                .withPropertyValues("batchsqs.s3.bucket=payloads", "batchsqs.s3." + property)
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining(text));
    }

    @Test
    void withoutTheModuleTheApplicationStartsWithoutS3() {
        Applications.aws()
                .withClassLoader(new FilteredClassLoader("io.awspring.cloud.s3"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(PayloadStore.class));
    }
}
