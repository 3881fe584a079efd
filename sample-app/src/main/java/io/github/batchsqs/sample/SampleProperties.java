/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What the sample does.
 *
 * @param queue Queue that the orders go through.
 * @param firstOrders How many orders it sends by itself at start, before its listener starts.
 */
@ConfigurationProperties("sample")
public record SampleProperties(
        @DefaultValue("orders") String queue,
        @DefaultValue("10000") int firstOrders) {}
