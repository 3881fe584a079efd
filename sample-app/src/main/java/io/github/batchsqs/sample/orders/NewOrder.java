/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.orders;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;

/**
 * An order, as a customer sends it.
 *
 * @param customer becomes a message group, so it has a group's limit
 * @param parcel whether there is something to ship; not, if it is left out
 */
public record NewOrder(
        @NotBlank @Size(max = 100) String customer,
        @Positive @Max(1_000_000) int cents,
        @Nullable Boolean parcel,
        @Nullable @Size(max = 20) String voucher) {}
