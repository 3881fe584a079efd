/* SPDX-License-Identifier: Apache-2.0 */
/** The annotations that make methods and classes listeners. */
@NullMarked
package io.github.batchsqs.annotation;

import org.jspecify.annotations.NullMarked;
