/* SPDX-License-Identifier: Apache-2.0 */
/** The running listeners: to start, stop, pause and look at. */
@NullMarked
package io.github.batchsqs.receive;

import org.jspecify.annotations.NullMarked;
