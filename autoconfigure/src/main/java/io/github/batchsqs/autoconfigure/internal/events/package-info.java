/* SPDX-License-Identifier: Apache-2.0 */
/** Application events about listeners. */
@NullMarked
package io.github.batchsqs.autoconfigure.internal.events;

import org.jspecify.annotations.NullMarked;
