/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.settings;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the module {@code batchsqs-spring-boot-s3}. A component that is {@code null} is not set.
 *
 * @param bucket Bucket for payloads that are too large for a message. Without it, all payloads travel in messages.
 *     Requires the module batchsqs-spring-boot-s3.
 * @param threshold Size of a message above which its payload is stored in S3, up to 1MB, which is also the
 *     default. Bodies and attributes count.
 * @param always Whether all payloads are stored in S3, whatever their size.
 * @param keyPrefix Prefix of the keys of stored objects, such as orders/. Objects whose keys begin otherwise are read and never
 *     deleted.
 * @param deleteAfter Whether an object is deleted after SQS has accepted the delete of its message. Set false if several queues
 *     receive the same pointer, and leave the objects to a lifecycle rule.
 * @param legacyAttribute Whether the attribute that marks a pointer is named SQSLargePayloadSize, for receivers with an extended
 *     client before version 2, instead of ExtendedPayloadSize. Both are understood.
 * @param readBuckets Further buckets whose objects may be read. Nothing is deleted in them.
 * @param memory Maximum size of all payloads that are in memory for handlers at a time, 1MB to 8GB. A batch ends before its payloads exceed
 *     a quarter of it. Larger payloads are refused.
 * @param fetchTimeout How long a fetch is tried again while S3 fails, 0s to 1h. A try ends at this time too, but has at least 1s. After that the
 *     message fails like one whose handler throws.
 * @param uploadTimeout Maximum duration of a try of an upload, 1s to 1h. It is tried again until sender.delivery-timeout.
 * @param maxInFlight Maximum number of concurrent uploads, and of concurrent fetches, 1 to 1,000. Each needs a connection.
 */
public record S3Settings(
        @Nullable String bucket,
        @Nullable DataSize threshold,
        @DefaultValue("false") boolean always,
        @Nullable String keyPrefix,
        @DefaultValue("true") boolean deleteAfter,
        @DefaultValue("false") boolean legacyAttribute,
        @Nullable List<String> readBuckets,
        @DefaultValue("64MB") DataSize memory,
        @DefaultValue("1m") Duration fetchTimeout,
        @DefaultValue("30s") Duration uploadTimeout,
        @DefaultValue("16") int maxInFlight) {}
