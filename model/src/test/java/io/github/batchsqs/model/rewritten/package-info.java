/* SPDX-License-Identifier: Apache-2.0 */
/** Code that knows nothing of virtual time. */
@NullMarked
package io.github.batchsqs.model.rewritten;

import org.jspecify.annotations.NullMarked;
