/* SPDX-License-Identifier: Apache-2.0 */
/** Histories of listeners with the inbox. */
@NullMarked
package io.github.batchsqs.histories.inbox;

import org.jspecify.annotations.NullMarked;
