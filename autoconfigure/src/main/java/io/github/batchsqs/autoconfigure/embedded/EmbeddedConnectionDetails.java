/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.embedded;

import io.awspring.cloud.autoconfigure.core.AwsConnectionDetails;
import java.net.URI;

/** Points the clients of the context at the embedded server. It takes any credentials, but the SDK wants some. */
record EmbeddedConnectionDetails(URI getEndpoint) implements AwsConnectionDetails {

    @Override
    public String getRegion() {
        return EmbeddedServer.REGION;
    }

    @Override
    public String getAccessKey() {
        return "embedded";
    }

    @Override
    public String getSecretKey() {
        return "embedded";
    }
}
