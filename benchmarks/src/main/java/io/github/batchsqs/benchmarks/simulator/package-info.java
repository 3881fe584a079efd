/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A simulated SQS: AWS JSON 1.0 over HTTP with latency and faults on request, so cheap in CPU that the client is what is
 * measured. Everything is confined to one event loop; nothing here takes a lock.
 */
@NullMarked
package io.github.batchsqs.benchmarks.simulator;

import org.jspecify.annotations.NullMarked;
