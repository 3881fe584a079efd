/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.shipping;

/** A parcel for a customer, as it travels through the queue. */
public record Shipment(long order, String customer) {}
