/* SPDX-License-Identifier: Apache-2.0 */
/** How the template sends messages in batches. */
@NullMarked
package io.github.batchsqs.internal.send;

import org.jspecify.annotations.NullMarked;
