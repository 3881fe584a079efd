/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import io.github.batchsqs.support.Check;
import io.github.batchsqs.support.OutageLog;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Down while no payload could be stored, or none fetched, for a while, although it was tried. Deletes that fail make nothing wait: the
 * details name them, and the status stays up. Makes no call to S3.
 *
 * @param failingFor how long every upload, or every fetch, must have failed
 */
record S3Health(S3PayloadStore store, Duration failingFor) implements HealthIndicator {

    /** A last failure that is older than this does not show the present state. */
    private static final Duration STALE = Duration.ofMinutes(2);

    @Override
    public Health health() {
        S3Outages outages = store.outages();
        Health.Builder health = Health.up().withDetail("bucket", store.bucket());
        List<String> reasons = new ArrayList<>();
        look(health, outages.uploads(), "uploadsFailingSince", "no payload could be stored", reasons);
        look(health, outages.fetches(), "fetchesFailingSince", "no payload could be fetched", reasons);
        look(health, outages.deletes(), "deletesFailingSince", "", new ArrayList<>());
        return reasons.isEmpty()
                ? health.build()
                : health.down()
                        .withDetail(
                                "reason",
                                String.join(", and ", reasons) + " for longer than " + Check.text(failingFor)
                                        + "; the log has the error and the remedy")
                        .build();
    }

    private void look(Health.Builder health, OutageLog calls, String detail, String words, List<String> reasons) {
        Duration failing = calls.failingFor();
        Duration lasting = calls.lasting(STALE);
        if (failing.isPositive()) {
            Instant since = Instant.now().minus(failing).truncatedTo(ChronoUnit.SECONDS);
            health.withDetail(detail, since.toString());
        }
        if (lasting.isPositive() && lasting.compareTo(failingFor) >= 0) {
            reasons.add(words);
        }
    }
}
