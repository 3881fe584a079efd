/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.client;

import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.internal.support.UserInformation;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import org.springframework.core.env.Environment;

/** Refuses endpoints that are no URLs by their keys; the SDK's own error names neither the key nor the value. */
final class EndpointCheck {

    /** The first one that is set overrides the others. */
    private static final List<String> KEYS = List.of("spring.cloud.aws.sqs.endpoint", "spring.cloud.aws.endpoint");

    private EndpointCheck() {}

    /** Throws if the endpoint in the settings, which the client uses, is not a URL. */
    static void require(Environment environment) {
        for (String key : KEYS) {
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
