/* SPDX-License-Identifier: Apache-2.0 */
/** Analyses the signature of an annotated method, and creates the batch listener that calls it. */
@NullMarked
package io.github.batchsqs.autoconfigure.internal.signature;

import org.jspecify.annotations.NullMarked;
