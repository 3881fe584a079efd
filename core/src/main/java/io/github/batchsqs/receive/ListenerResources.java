/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.time.TimeSource;

/**
 * Collaborators that containers share.
 *
 * @param client the way to SQS; its connection pool must hold {@code pollers.max} receives beside the acknowledgements
 * @param resolver finds the queue at start
 * @param events records what happens; one per container
 * @param time the clock
 */
public record ListenerResources(QueueClient client, QueueResolver resolver, ListenerEvents events, TimeSource time) {}
