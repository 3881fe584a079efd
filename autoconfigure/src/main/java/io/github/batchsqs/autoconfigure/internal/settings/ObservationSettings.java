/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.settings;

import org.jspecify.annotations.Nullable;

/**
 * Observations of messages.
 *
 * @param enabled Whether invocations, delete calls and sent messages are observed. Default: only with a tracer, an
 *     ObservationHandler that does not make meters, a convention for them, an ObservationRegistryCustomizer, or an
 *     ObservationRegistry of the application.
 */
public record ObservationSettings(@Nullable Boolean enabled) {}
