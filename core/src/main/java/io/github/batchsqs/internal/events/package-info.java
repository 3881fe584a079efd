/* SPDX-License-Identifier: Apache-2.0 */
/** The events of senders, and the meters of listeners and senders. */
@NullMarked
package io.github.batchsqs.internal.events;

import org.jspecify.annotations.NullMarked;
