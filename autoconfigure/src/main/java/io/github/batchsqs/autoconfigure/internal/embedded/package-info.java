/* SPDX-License-Identifier: Apache-2.0 */
/** A server in the process, for development and tests. */
@NullMarked
package io.github.batchsqs.autoconfigure.internal.embedded;

import org.jspecify.annotations.NullMarked;
