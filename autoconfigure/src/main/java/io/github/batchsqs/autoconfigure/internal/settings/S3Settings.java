/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.settings;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the module {@code batchsqs-spring-boot-s3}. A component that is {@code null} is not set.
 *
 * @param bucket Bucket for payloads that are too large for a message. Without it, all payloads travel in messages.
 *     Requires the module batchsqs-spring-boot-s3.
 * @param threshold Size of a message above which its payload is stored in S3, up to 1MB. Bodies and
 *     attributes count. 0B stores all payloads.
 * @param keyPrefix Prefix of the keys of stored objects, such as orders/. Objects whose keys begin otherwise are read and never
 *     deleted.
 * @param deleteAfter Whether an object is deleted after SQS has accepted the delete of its message. Set false if several queues
 *     receive the same pointer, and leave the objects to a lifecycle rule.
 * @param readBuckets Further buckets whose objects may be read. Nothing is deleted in them.
 */
public record S3Settings(
        @Nullable String bucket,
        @Nullable DataSize threshold,
        @Nullable String keyPrefix,
        @DefaultValue("true") boolean deleteAfter,
        @Nullable List<String> readBuckets) {}
