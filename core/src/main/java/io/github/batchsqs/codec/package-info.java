/* SPDX-License-Identifier: Apache-2.0 */
/** Converts payloads to bodies and back. */
@NullMarked
package io.github.batchsqs.codec;

import org.jspecify.annotations.NullMarked;
