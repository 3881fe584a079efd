/* SPDX-License-Identifier: Apache-2.0 */
/** Micrometer observations for tracing and timing, by the messaging conventions of OpenTelemetry. */
@NullMarked
package io.github.batchsqs.observation;

import org.jspecify.annotations.NullMarked;
