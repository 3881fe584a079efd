/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.run;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Sends commands to the simulated SQS. Blocks the calling thread and uses almost no CPU time meanwhile. */
public final class ControlClient {

    private static final JsonMapper JSON = JsonMapper.shared();

    private final URI endpoint;

    /** Prepares it. */
    public ControlClient(URI endpoint) {
        this.endpoint = endpoint;
    }

    /** Sends a command, and returns the response. */
    public JsonNode send(String command) throws IOException {
        HttpURLConnection connection = (HttpURLConnection)
                endpoint.resolve("/control/" + command).toURL().openConnection();
        try (InputStream response = connection.getInputStream()) {
            return JSON.readTree(response);
        }
    }
}
