/* SPDX-License-Identifier: Apache-2.0 */
/** Tests of batching. */
@NullMarked
package io.github.batchsqs.internal.batch;

import org.jspecify.annotations.NullMarked;
