/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/**
 * What a consumer or producer process is to do, as it stands on its command line.
 *
 * @param endpoint the server
 * @param region its region
 * @param queue the queue's name
 * @param ledger the file to write to
 * @param messages how many messages there are to be in all, over all starts of the producer
 * @param groups how many lanes they are spread over
 */
record Job(URI endpoint, String region, String queue, Path ledger, int messages, int groups) {

    List<String> arguments() {
        return List.of(endpoint.toString(), region, queue, ledger.toString(), Integer.toString(messages), "" + groups);
    }

    static Job parse(String... arguments) {
        return new Job(
                URI.create(arguments[0]),
                arguments[1],
                arguments[2],
                Path.of(arguments[3]),
                Integer.parseInt(arguments[4]),
                Integer.parseInt(arguments[5]));
    }

    String lane(int message) {
        return "g" + message % groups;
    }

    /** The body of a message, numbered within its lane. */
    String key(int message) {
        return lane(message) + ":" + message / groups;
    }
}
