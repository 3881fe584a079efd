/* SPDX-License-Identifier: Apache-2.0 */
/** Observations of Micrometer, by the messaging conventions of OpenTelemetry, for whoever wants to trace. */
@NullMarked
package io.github.batchsqs.observation;

import org.jspecify.annotations.NullMarked;
