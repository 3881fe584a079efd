/* SPDX-License-Identifier: Apache-2.0 */
/** Messages that a caller receives itself, through the template: no listener, and nothing is deleted by itself. */
@NullMarked
package io.github.batchsqs.pull;

import org.jspecify.annotations.NullMarked;
