/* SPDX-License-Identifier: Apache-2.0 */
/** Observations and traces, where the application has a registry or a tracer. */
@NullMarked
package io.github.batchsqs.autoconfigure.internal.observation;

import org.jspecify.annotations.NullMarked;
