/* SPDX-License-Identifier: Apache-2.0 */
/** Virtual time: threads of which one runs at a time, and waits that take no real time. */
@NullMarked
package io.github.batchsqs.model.time;

import org.jspecify.annotations.NullMarked;
