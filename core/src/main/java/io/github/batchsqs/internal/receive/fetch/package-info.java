/* SPDX-License-Identifier: Apache-2.0 */
/** First stage: pollers receive what the in-flight limit allows, and the ledger knows each message in flight. */
@NullMarked
package io.github.batchsqs.internal.receive.fetch;

import org.jspecify.annotations.NullMarked;
