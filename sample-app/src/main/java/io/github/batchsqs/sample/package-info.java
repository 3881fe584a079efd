/* SPDX-License-Identifier: Apache-2.0 */
/** A small shop on SQS: orders, shipments, and a live page that shows how their messages are batched. */
@NullMarked
package io.github.batchsqs.sample;

import org.jspecify.annotations.NullMarked;
