/* SPDX-License-Identifier: Apache-2.0 */
/** Histories of senders: what a template says about a message is compared with what became of it at SQS. */
@NullMarked
package io.github.batchsqs.histories.senders;

import org.jspecify.annotations.NullMarked;
