/* SPDX-License-Identifier: Apache-2.0 */
/** The actuator endpoint {@code batchsqs}. */
@NullMarked
package io.github.batchsqs.autoconfigure.internal.endpoint;

import org.jspecify.annotations.NullMarked;
