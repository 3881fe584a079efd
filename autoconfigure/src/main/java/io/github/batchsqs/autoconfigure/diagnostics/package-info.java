/* SPDX-License-Identifier: Apache-2.0 */
/** What a failed start tells its user. */
@NullMarked
package io.github.batchsqs.autoconfigure.diagnostics;

import org.jspecify.annotations.NullMarked;
