/* SPDX-License-Identifier: Apache-2.0 */
/** From the signature of an annotated method to a batch listener that calls it. */
@NullMarked
package io.github.batchsqs.autoconfigure.signature;

import org.jspecify.annotations.NullMarked;
