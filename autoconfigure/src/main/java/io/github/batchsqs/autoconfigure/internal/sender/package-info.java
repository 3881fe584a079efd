/* SPDX-License-Identifier: Apache-2.0 */
/** The template that sends and receives, from settings. */
@NullMarked
package io.github.batchsqs.autoconfigure.internal.sender;

import org.jspecify.annotations.NullMarked;
