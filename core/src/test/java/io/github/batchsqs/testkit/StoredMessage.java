/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import io.github.batchsqs.MessageAttribute;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message as it lay in an {@link InMemoryQueueClient} when a test looked.
 *
 * @param receiveCount how often it was delivered so far; 0 if never
 */
public record StoredMessage(
        String id,
        String body,
        Map<String, MessageAttribute> attributes,
        @Nullable String groupId,
        @Nullable String deduplicationId,
        int receiveCount) {}
