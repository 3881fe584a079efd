/* SPDX-License-Identifier: Apache-2.0 */
/** Orders come in over HTTP, go through a standard queue, and are handled in batches. */
@NullMarked
package io.github.batchsqs.sample.orders;

import org.jspecify.annotations.NullMarked;
