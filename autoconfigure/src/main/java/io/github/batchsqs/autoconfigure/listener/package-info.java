/* SPDX-License-Identifier: Apache-2.0 */
/** From annotated methods and settings to running containers. */
@NullMarked
package io.github.batchsqs.autoconfigure.listener;

import org.jspecify.annotations.NullMarked;
