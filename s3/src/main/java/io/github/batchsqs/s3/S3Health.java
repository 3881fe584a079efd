/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.OutageLog;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Down while no payload could be stored, or none fetched from one of the buckets, for a while, although it was tried. Deletes that fail
 * make nothing wait: the details name them, and the status stays up. Makes no call to S3.
 */
record S3Health(S3PayloadStore store) implements HealthIndicator {

    /** How long every upload, or every fetch from a bucket, must have failed: as long as the receives of a listener that is down. */
    private static final Duration FAILING_FOR = Duration.ofMinutes(1);

    /** A last failure that is older than this does not show the present state. */
    private static final Duration STALE = Duration.ofMinutes(2);

    @Override
    public Health health() {
        S3Outages outages = store.outages();
        Health.Builder health = Health.up().withDetail("bucket", store.bucket());
        List<String> reasons = new ArrayList<>();
        if (outages.uploads().failingFor().isPositive()) {
            health.withDetail("uploadsFailingSince", since(outages.uploads()));
        }
        if (isDown(outages.uploads())) {
            reasons.add("no payload could be stored");
        }
        Map<String, String> fetches = new TreeMap<>();
        new TreeMap<>(outages.fetches()).forEach((bucket, calls) -> {
            if (calls.failingFor().isPositive()) {
                fetches.put(bucket, since(calls));
            }
            if (isDown(calls)) {
                reasons.add("no payload could be fetched from the bucket " + bucket);
            }
        });
        if (!fetches.isEmpty()) {
            health.withDetail("fetchesFailingSince", fetches);
        }
        if (outages.deletes().failingFor().isPositive()) {
            health.withDetail("deletesFailingSince", since(outages.deletes()));
        }
        return reasons.isEmpty()
                ? health.build()
                : health.down()
                        .withDetail(
                                "reason",
                                String.join(", and ", reasons) + " for longer than " + Check.text(FAILING_FOR)
                                        + "; the log has the error and the remedy")
                        .build();
    }

    private boolean isDown(OutageLog calls) {
        Duration lasting = calls.lasting(STALE);
        return lasting.isPositive() && lasting.compareTo(FAILING_FOR) >= 0;
    }

    private static String since(OutageLog calls) {
        return Instant.now()
                .minus(calls.failingFor())
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
    }
}
