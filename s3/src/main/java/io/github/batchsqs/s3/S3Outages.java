/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import io.github.batchsqs.internal.support.OutageLog;
import io.github.batchsqs.internal.support.TimeSource;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;

/**
 * Watches the three kinds of calls to S3, for the log and the health. The fetches are watched for each bucket: one that responds
 * does not show that another one does.
 *
 * @param uploads the uploads of all senders
 * @param fetches the fetches of all listeners and of the template, by bucket
 * @param deletes the deletes
 */
record S3Outages(OutageLog uploads, Map<String, OutageLog> fetches, OutageLog deletes) {

    /**
     * Creates the watches.
     *
     * @param bucket where payloads are stored and deleted
     * @param readable the buckets from which payloads are fetched
     */
    S3Outages(String bucket, Set<String> readable, Logger log, TimeSource time) {
        this(
                new OutageLog(log, time, "S3: storing payloads in " + bucket),
                readable.stream()
                        .collect(Collectors.toUnmodifiableMap(
                                Function.identity(),
                                each -> new OutageLog(log, time, "S3: fetching payloads from " + each))),
                new OutageLog(log, time, "S3: deleting payloads in " + bucket));
    }

    /** Returns the watch of the fetches from a bucket, one of those that are readable. */
    OutageLog fetches(String from) {
        return Objects.requireNonNull(fetches.get(from), "a bucket that is readable");
    }
}
