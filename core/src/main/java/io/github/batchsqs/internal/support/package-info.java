/* SPDX-License-Identifier: Apache-2.0 */
/** Checks, limits and error codes of SQS, and log lines that all parts of the engine use. Not API. */
@NullMarked
package io.github.batchsqs.internal.support;

import org.jspecify.annotations.NullMarked;
