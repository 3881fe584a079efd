/* SPDX-License-Identifier: Apache-2.0 */
/** Registers, builds and starts the containers of the listeners. */
@NullMarked
package io.github.batchsqs.autoconfigure.internal.listener;

import org.jspecify.annotations.NullMarked;
