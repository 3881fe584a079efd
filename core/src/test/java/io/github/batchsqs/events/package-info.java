/* SPDX-License-Identifier: Apache-2.0 */
/** Tests of what is told to whoever counts. */
@NullMarked
package io.github.batchsqs.events;

import org.jspecify.annotations.NullMarked;
