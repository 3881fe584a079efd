/* SPDX-License-Identifier: Apache-2.0 */
/** The health of each listener, for the actuator. */
@NullMarked
package io.github.batchsqs.autoconfigure.internal.health;

import org.jspecify.annotations.NullMarked;
