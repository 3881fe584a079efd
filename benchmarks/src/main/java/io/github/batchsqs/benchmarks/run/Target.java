/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.run;

import java.net.URI;

/**
 * Where a row's messages are.
 *
 * @param endpoint of the simulated SQS
 * @param queue the queue's name
 * @param url the queue's URL
 */
public record Target(URI endpoint, String queue, String url) {}
