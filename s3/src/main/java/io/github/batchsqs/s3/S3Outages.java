/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import io.github.batchsqs.support.OutageLog;
import io.github.batchsqs.time.TimeSource;
import org.slf4j.Logger;

/**
 * Watches the three kinds of calls to S3, for the log and the health.
 *
 * @param uploads the uploads of all senders
 * @param fetches the fetches of all listeners and of the template
 * @param deletes the deletes
 */
record S3Outages(OutageLog uploads, OutageLog fetches, OutageLog deletes) {

    S3Outages(String bucket, Logger log, TimeSource time) {
        this(
                new OutageLog(log, time, "S3: storing payloads in " + bucket),
                new OutageLog(log, time, "S3: fetching payloads"),
                new OutageLog(log, time, "S3: deleting payloads in " + bucket));
    }
}
