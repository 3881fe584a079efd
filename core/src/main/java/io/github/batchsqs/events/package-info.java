/* SPDX-License-Identifier: Apache-2.0 */
/** Listeners of events of the receive path and of the send path, and those that count them with Micrometer. */
@NullMarked
package io.github.batchsqs.events;

import org.jspecify.annotations.NullMarked;
