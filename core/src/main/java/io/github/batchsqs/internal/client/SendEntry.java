/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.client;

import io.github.batchsqs.MessageAttribute;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One entry of a {@code SendMessageBatch}.
 *
 * @param body the body
 * @param attributes message attributes, at most 10
 * @param delay 0 to 900 s, or {@code null} for the queue's own; refused per message on FIFO
 * @param groupId the message group
 * @param deduplicationId the deduplication id; only on FIFO
 */
public record SendEntry(
        String body,
        Map<String, MessageAttribute> attributes,
        @Nullable Duration delay,
        @Nullable String groupId,
        @Nullable String deduplicationId) {}
