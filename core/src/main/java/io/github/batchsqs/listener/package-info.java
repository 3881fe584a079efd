/* SPDX-License-Identifier: Apache-2.0 */
/** Options, handlers, hooks and the status of listeners: the API of the receive path. */
@NullMarked
package io.github.batchsqs.listener;

import org.jspecify.annotations.NullMarked;
