/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.stock;

/** Goods that have arrived, as published to the topic. */
public record Arrival(String article, int pieces) {}
