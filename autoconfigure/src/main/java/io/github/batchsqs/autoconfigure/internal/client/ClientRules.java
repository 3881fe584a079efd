/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.client;

import io.github.batchsqs.autoconfigure.internal.settings.NamedClientSettings;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.UserInformation;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** The rules for the settings of clients, in words that name key and value; those of the SDK name neither. */
final class ClientRules {

    /** Those of the default client; the first one that is set overrides the others. */
    private static final List<String> ENDPOINTS = List.of("spring.cloud.aws.sqs.endpoint", "spring.cloud.aws.endpoint");

    /** A part of a host name. */
    private static final Pattern REGION = Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?");

    private static final Pattern ROLE = Pattern.compile("arn:aws[a-z-]*:iam::[0-9]{12}:role/\\S+");

    private static final String STS = "software.amazon.awssdk.services.sts.StsClient";

    private ClientRules() {}

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
            requireUrl(key + ".endpoint", endpoint);
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

    /** Throws if the endpoint in the settings, which the client uses, is not a URL. */
    static void requireEndpoint(Environment environment) {
        for (String key : ENDPOINTS) {
            String endpoint = environment.getProperty(key, "").strip();
            if (!endpoint.isEmpty()) {
                requireUrl(key, endpoint);
                return;
            }
        }
    }

    /** Throws if the value of the key is no URL. */
    static void requireUrl(String key, String endpoint) {
        if (!isUrl(endpoint)) {
            String suggestion = "http://" + endpoint.replaceFirst("^/+", "");
            throw new InvalidOptionException(
                    key,
                    "must be a URL with http:// or https://",
                    UserInformation.mask(endpoint),
                    "write "
                            + (!endpoint.contains("://") && isUrl(suggestion)
                                    ? UserInformation.mask(suggestion)
                                    : "a URL such as http://localhost:4566"));
        }
    }

    private static boolean isUrl(String text) {
        try {
            URI uri = URI.create(text);
            String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
            return List.of("http", "https").contains(scheme) && uri.getRawAuthority() != null;
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }
}
