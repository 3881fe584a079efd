/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.settings;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A client for another account or region. A component that is {@code null} is that of {@code spring.cloud.aws}.
 *
 * @param region AWS region, such as eu-central-1.
 * @param endpoint URL of SQS, such as that of a VPC endpoint. The embedded server and service connections override it.
 * @param credentials Credentials, and so the account.
 */
public record NamedClientSettings(
        @Nullable String region,
        @Nullable String endpoint,
        @DefaultValue Credentials credentials) {

    /**
     * Credentials: either both keys, or a profile; and a role that they, or those of spring.cloud.aws, assume.
     *
     * @param accessKey Access key id.
     * @param secretKey Secret access key.
     * @param profile Name of a profile of the AWS configuration files.
     * @param roleArn ARN of an IAM role to assume. Requires software.amazon.awssdk:sts on the class path.
     */
    public record Credentials(
            @Nullable String accessKey,
            @Nullable String secretKey,
            @Nullable String profile,
            @Nullable String roleArn) {

        /** Returns the text without the secret key. */
        @Override
        public String toString() {
            return "Credentials[accessKey=" + accessKey + ", profile=" + profile + ", roleArn=" + roleArn + "]";
        }
    }
}
