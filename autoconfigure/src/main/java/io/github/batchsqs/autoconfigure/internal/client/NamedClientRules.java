/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.client;

import io.github.batchsqs.autoconfigure.internal.settings.NamedClientSettings;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.support.Check;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** The rules for the settings of named clients. */
final class NamedClientRules {

    /** A part of a host name. */
    private static final Pattern REGION = Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?");

    private static final Pattern ROLE = Pattern.compile("arn:aws[a-z-]*:iam::[0-9]{12}:role/\\S+");

    private static final String STS = "software.amazon.awssdk.services.sts.StsClient";

    private NamedClientRules() {}

    /** @throws InvalidOptionException if a setting of the client breaks its rule */
    static void check(String name, NamedClientSettings settings) {
        String key = "batchsqs.clients." + name;
        Check.that(
                !name.equals(QueueClient.DEFAULT_NAME),
                key,
                "must not exist",
                "set",
                "set spring.cloud.aws.* for the default client, or choose another name");
        requireRegion(key + ".region", settings.region());
        String endpoint = settings.endpoint();
        if (endpoint != null) {
            EndpointCheck.requireUrl(key + ".endpoint", endpoint);
        }
        check(key + ".credentials.", settings.credentials());
    }

    /** The region becomes a part of a host name; the SDK's own error names neither the key nor the value. */
    static void requireRegion(String key, @Nullable String region) {
        Check.that(
                region == null || REGION.matcher(region).matches(),
                key,
                "must be the code of an AWS region",
                String.valueOf(region),
                "write a code such as eu-central-1");
    }

    private static void check(String prefix, NamedClientSettings.Credentials credentials) {
        boolean hasKeys = credentials.accessKey() != null || credentials.secretKey() != null;
        requireKey(prefix + "access-key", credentials.accessKey(), hasKeys);
        requireKey(prefix + "secret-key", credentials.secretKey(), hasKeys);
        String profile = credentials.profile();
        Check.that(
                profile == null || !hasKeys,
                prefix + "profile",
                "must not be set beside " + prefix + "access-key",
                String.valueOf(profile),
                "remove one of them");
        checkRole(prefix + "role-arn", credentials.roleArn());
    }

    /** What is missing shows at the start, not when the client is used first. */
    private static void checkRole(String key, @Nullable String role) {
        if (role == null) {
            return;
        }
        Check.that(
                ROLE.matcher(role).matches(),
                key,
                "must be the ARN of an IAM role",
                role,
                "write an ARN such as arn:aws:iam::123456789012:role/orders");
        Check.that(
                ClassUtils.isPresent(STS, null),
                key,
                "must be absent while software.amazon.awssdk:sts is not on the class path",
                role,
                "add that dependency, or remove the key");
    }

    /** Refuses an empty key as well: the client would silently call the account of the default client. */
    private static void requireKey(String key, @Nullable String value, boolean hasKeys) {
        Check.that(
                !hasKeys || (value != null && !value.isBlank()),
                key,
                "must be set, as the client has keys of its own",
                value == null ? "absent" : "empty",
                "set access-key and secret-key, or remove both");
    }
}
