/* SPDX-License-Identifier: Apache-2.0 */
/** The errors that BatchSQS raises itself. */
@NullMarked
package io.github.batchsqs.errors;

import org.jspecify.annotations.NullMarked;
