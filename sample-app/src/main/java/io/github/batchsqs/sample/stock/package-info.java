/* SPDX-License-Identifier: Apache-2.0 */
/** Goods arrive: notices that a topic of Amazon SNS puts into a queue. */
@NullMarked
package io.github.batchsqs.sample.stock;

import org.jspecify.annotations.NullMarked;
