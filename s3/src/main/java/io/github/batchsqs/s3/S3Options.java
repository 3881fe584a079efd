/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import io.github.batchsqs.autoconfigure.internal.settings.S3Settings;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.SqsLimits;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The settings of the store, checked.
 *
 * @param bucket where payloads are stored
 * @param threshold the size of a message above which its payload is stored; zero stores all
 * @param keyPrefix begins the keys of stored objects
 * @param deleteAfter whether objects are deleted after their messages
 * @param readable the buckets that pointers may name
 * @param memory the maximum size of all payloads in memory for handlers
 * @param fetchTimeout how long a fetch is tried again, and the maximum duration of each try
 * @param uploadTimeout the maximum duration of each try of an upload
 */
record S3Options(
        String bucket,
        long threshold,
        String keyPrefix,
        boolean deleteAfter,
        Set<String> readable,
        long memory,
        Duration fetchTimeout,
        Duration uploadTimeout) {

    /** As long as most outages of S3, and shorter than the time for which a listener extends a visibility timeout. */
    static final Duration FETCH_TIMEOUT = Duration.ofMinutes(1);

    /** Enough for the largest payloads on a slow network; the sender tries again until its delivery timeout. */
    static final Duration UPLOAD_TIMEOUT = Duration.ofSeconds(30);

    private static final String PREFIX = "batchsqs.s3.";
    private static final int MAX_KEY_PREFIX = 512;
    /** The name of a bucket, or the ARN of an access point. */
    private static final Pattern BUCKET = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9._-]{1,253}[a-zA-Z0-9]|arn:[!-~]+");

    /**
     * Checks the settings.
     *
     * @param memory the maximum size of all payloads in memory for handlers
     */
    static S3Options of(S3Settings settings, long memory) {
        String bucket = Objects.requireNonNullElse(settings.bucket(), "");
        requireBucket("bucket", bucket, "write its name, or remove the key: then all payloads travel in messages");
        long threshold = settings.threshold() == null
                ? SqsLimits.MAX_BYTES
                : settings.threshold().toBytes();
        Check.rangeOfBytes(PREFIX + "threshold", threshold, 0, SqsLimits.MAX_BYTES);
        String keyPrefix = Objects.requireNonNullElse(settings.keyPrefix(), "");
        Check.that(
                keyPrefix.length() <= MAX_KEY_PREFIX && keyPrefix.chars().allMatch(c -> c > ' ' && c < 0x7f),
                PREFIX + "key-prefix",
                "must be at most " + MAX_KEY_PREFIX + " letters, digits and punctuation of ASCII",
                "'" + keyPrefix + "'",
                "write a prefix such as orders/");
        Set<String> readable = new HashSet<>(Set.of(bucket));
        for (String each : Objects.requireNonNullElse(settings.readBuckets(), List.<String>of())) {
            requireBucket("read-buckets", each, "write names of buckets, or remove the key");
            readable.add(each);
        }
        return new S3Options(
                bucket,
                threshold,
                keyPrefix,
                settings.deleteAfter(),
                Set.copyOf(readable),
                memory,
                FETCH_TIMEOUT,
                UPLOAD_TIMEOUT);
    }

    private static void requireBucket(String key, String bucket, String remedy) {
        Check.that(
                BUCKET.matcher(bucket).matches(),
                PREFIX + key,
                "must be the name of a bucket or the ARN of an access point",
                "'" + bucket + "'",
                remedy);
    }

    /** Returns whether an object is one of those that may be deleted here. */
    boolean owns(Pointer pointer) {
        return pointer.bucket().equals(bucket) && pointer.key().startsWith(keyPrefix);
    }
}
