/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.testkit;

import io.awspring.cloud.autoconfigure.core.AwsConnectionDetails;
import java.net.URI;

/** A server that the application starts by itself, as a service connection of Testcontainers does. */
public class OtherServer implements AwsConnectionDetails {
    @Override
    public URI getEndpoint() {
        return URI.create("http://localhost:3");
    }

    @Override
    public String getRegion() {
        return "eu-west-2";
    }
}
