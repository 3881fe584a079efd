/* SPDX-License-Identifier: Apache-2.0 */
/** The receive path. {@link io.github.batchsqs.receive.ListenerContainer} is its table of contents. */
@NullMarked
package io.github.batchsqs.receive;

import org.jspecify.annotations.NullMarked;
