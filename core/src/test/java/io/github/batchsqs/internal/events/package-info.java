/* SPDX-License-Identifier: Apache-2.0 */
/** Tests of meters. */
@NullMarked
package io.github.batchsqs.internal.events;

import org.jspecify.annotations.NullMarked;
