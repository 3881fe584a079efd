/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.client;

import io.github.batchsqs.errors.InvalidOptionException;
import java.net.URI;
import java.util.List;
import org.springframework.core.env.Environment;

/** Refuses endpoints without a scheme by their keys; the SDK's own error names neither the key nor the value. */
final class EndpointCheck {

    private static final List<String> KEYS = List.of("spring.cloud.aws.sqs.endpoint", "spring.cloud.aws.endpoint");

    private EndpointCheck() {}

    /** Throws if an endpoint in the settings is not a URL. */
    static void require(Environment environment) {
        for (String key : KEYS) {
            String endpoint = environment.getProperty(key, "").strip();
            if (!endpoint.isEmpty() && !isUrl(endpoint)) {
                String suggestion = "http://" + endpoint.replaceFirst("^/+", "");
                throw new InvalidOptionException(
                        key,
                        "must be a URL with http:// or https://",
                        endpoint,
                        "write "
                                + (!endpoint.contains("://") && isUrl(suggestion)
                                        ? suggestion
                                        : "a URL such as http://localhost:4566"));
            }
        }
    }

    private static boolean isUrl(String text) {
        try {
            URI uri = URI.create(text);
            return List.of("http", "https").contains(String.valueOf(uri.getScheme())) && uri.getRawAuthority() != null;
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }
}
