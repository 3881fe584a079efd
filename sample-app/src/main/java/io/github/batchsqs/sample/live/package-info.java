/* SPDX-License-Identifier: Apache-2.0 */
/** The numbers of the live page, as server-sent events. */
@NullMarked
package io.github.batchsqs.sample.live;

import org.jspecify.annotations.NullMarked;
